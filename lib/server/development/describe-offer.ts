import { createHash } from 'node:crypto';
import type { OfferedEntry, OfferKind } from '../../core/development/report.interface.js';
import type { CatalogEntry } from '../catalog/entries.js';

/** The sources of the report: the registries of a server, and the lists of extensions. */
export interface Offered {
  readonly tools: readonly Defined[];
  readonly resources: readonly Defined[];
  readonly templates: readonly Defined[];
  readonly prompts: readonly Defined[];
  readonly skills: readonly { readonly uri: string; readonly frontmatter: object }[];
  readonly events: readonly { readonly name: string }[];
}

/** An entry of a list. */
type Defined = Pick<CatalogEntry, 'key' | 'access' | 'isOwn'> & {
  readonly definition: object;
  readonly app?: object;
};

/** Describes what a server offers. */
export function describeOffer(offered: Offered): readonly OfferedEntry[] {
  return [
    ...offered.tools.flatMap((entry) => describe('tool', entry)),
    ...offered.resources.flatMap((entry) => describe(entry.app === undefined ? 'resource' : 'app', entry)),
    ...offered.templates.flatMap((entry) => describe(entry.app === undefined ? 'template' : 'app', entry)),
    ...offered.prompts.flatMap((entry) => describe('prompt', entry)),
    ...offered.skills.map(({ uri, frontmatter }) => build('skill', uri, frontmatter)),
    ...offered.events.map((definition) => build('event', definition.name, definition)),
  ];
}

/** What a server adds itself is nothing that the application wrote. */
function describe(
  kind: OfferKind,
  { key, definition, app, access, isOwn }: Defined,
): readonly OfferedEntry[] {
  if (isOwn === true) return [];
  const scopes = access && { scopes: access.scopes, isPublic: access.isPublic };
  return [build(kind, key, { ...definition, ...(app && { app }), ...(scopes && { access: scopes }) })];
}

function build(kind: OfferKind, name: string, definition: object): OfferedEntry {
  const parts = Object.entries(definition).map(([member, value]) => [member, digest(value)] as const);
  return { kind, name, parts: Object.fromEntries(parts) };
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 11);
}

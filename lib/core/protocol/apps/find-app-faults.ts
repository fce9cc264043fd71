import type { AppFault } from './app-fault.interface.js';
import type { AppCsp, AppResourceMeta } from './app-meta.js';
import { allowsUrl } from './csp-source.js';
import { findPageLoads } from './find-page-loads.js';
import { findUseFaults } from './find-use-faults.js';
import type { PageLoad } from './page-load.interface.js';

/** Says a fault in one sentence, behind the name of its page. */
export function formatAppFault({ found, remedy }: AppFault): string {
  return `${found}: ${remedy}`;
}

/**
 * Finds what a page uses without declaring it. Hosts let a page load only from declared origins, and get it as one document
 * with nothing beside it.
 *
 * @see SEP-1865, "Content Security Policy Enforcement"
 */
export function findAppFaults(
  html: string,
  { csp = {}, permissions = {} }: AppResourceMeta,
): readonly AppFault[] {
  const loads = findPageLoads(html);
  const base = findBase(loads, csp);
  const faults = loads.flatMap((load) => judge(load, csp, base) ?? []);
  return unique([...faults, ...findUseFaults(html, permissions)]);
}

type LoadKind = PageLoad['kind'];

/** The member of the policy that says from where something is loaded. */
const MEMBERS: Readonly<Record<Exclude<LoadKind, 'object' | 'navigation'>, keyof AppCsp>> = {
  script: 'resourceDomains',
  style: 'resourceDomains',
  image: 'resourceDomains',
  font: 'resourceDomains',
  media: 'resourceDomains',
  connection: 'connectDomains',
  frame: 'frameDomains',
  base: 'baseUriDomains',
};

/** Where `data:` is allowed by every host. */
const INLINE_KINDS: ReadonlySet<LoadKind> = new Set(['image', 'media']);

function judge(load: PageLoad, csp: AppCsp, base: URL | undefined): AppFault | undefined {
  const { kind, url: written, by, isCertain } = load;
  if (/^(?:#|about:|javascript:|mailto:|blob:)/i.test(written)) return undefined;
  if (kind === 'navigation') return judgeNavigation(load);
  if (/^data:/i.test(written)) return INLINE_KINDS.has(kind) ? undefined : judgeInline(load);
  const url = resolve(written, kind === 'base' ? undefined : base);
  if (url === undefined) return judgeRelative(load);
  const shown = show(written);
  if (kind === 'object') {
    const remedy = 'use <iframe>, with its origin in "csp.frameDomains"';
    return { found: `loads ${shown} by ${by}, which no host allows`, remedy, isCertain };
  }
  const member = MEMBERS[kind];
  if (allowsUrl(csp[member] ?? [], url)) return undefined;
  return {
    found: `${isCertain ? 'loads' : 'may load'} ${shown} by ${by}, which hosts block`,
    remedy: `add "${url.protocol}//${url.host}" to "csp.${member}"`,
    isCertain,
  };
}

/** The frame of an app shows the app, and nothing else. */
function judgeNavigation({ url, by, isCertain }: PageLoad): AppFault {
  const remedy = 'have a script act instead, which calls a tool or has the host open the link';
  return {
    found: `${isCertain ? 'goes' : 'may go'} to ${show(url)} by ${by}, which leaves the app`,
    remedy,
    isCertain,
  };
}

/** Some hosts allow more than the specification has them allow. */
function judgeInline({ kind, by }: PageLoad): AppFault | undefined {
  if (kind !== 'font') return undefined;
  const remedy = 'load them from an origin in "csp.resourceDomains", or use those of the host';
  return { found: `has fonts as "data:" in ${by}, which many hosts block`, remedy, isCertain: false };
}

function judgeRelative({ kind, url, by, isCertain }: PageLoad): AppFault {
  const found = `${isCertain ? 'loads' : 'may load'} ${show(url)} by ${by}, and a host has nothing beside the page`;
  const remedy =
    kind === 'connection' ? 'call a tool instead, or write the whole URL' : 'put it into the page';
  return { found, remedy, isCertain };
}

/** Returns the base of relative URLs, if the policy lets the page have one. */
function findBase(loads: readonly PageLoad[], csp: AppCsp): URL | undefined {
  const written = loads.find(({ kind }) => kind === 'base')?.url;
  const base = written === undefined ? undefined : resolve(written, undefined);
  return base !== undefined && allowsUrl(csp.baseUriDomains ?? [], base) ? base : undefined;
}

/** The page comes from a host that uses TLS, so that what leaves the scheme out uses it too. */
function resolve(written: string, base: URL | undefined): URL | undefined {
  const absolute = /^[\\/]{2}/.test(written) ? `https:${written}` : written;
  return URL.canParse(absolute, base?.href) ? new URL(absolute, base?.href) : undefined;
}

const LONGEST_SHOWN = 120;

function show(url: string): string {
  return JSON.stringify(url.length > LONGEST_SHOWN ? `${url.slice(0, LONGEST_SHOWN)}…` : url);
}

function unique(faults: readonly AppFault[]): readonly AppFault[] {
  return [...new Map(faults.map((fault) => [formatAppFault(fault), fault])).values()];
}

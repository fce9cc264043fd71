import type { NewExpression, Node, ObjectLiteralElementLike, ObjectLiteralExpression } from 'ts-morph';
import type { DecisionKey } from '../replacements/decisions.js';
import type { MemberReplacement } from '../replacements/replacement.interface.js';
import { findMember, TRANSPORT_OPTIONS } from '../replacements/server-options.js';
import type { Migration } from '../migration.js';
import { findInitializer, findObject, findProperty, getMemberName, getValue } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import type { EndpointOptions } from './endpoint-options.js';

const HTTP = 'StreamableHttpTransport';
const STDIO = 'StdioTransport';
const NO_OPTIONS: EndpointOptions = { members: [], decisions: [] };

/** The list of transports. */
interface TransportsMember {
  readonly member: ObjectLiteralElementLike | undefined;
  /** Whether the application serves more than the strategy, so that it cannot become `McpStdio.run()`. */
  readonly isHybrid: boolean;
}

/** Reads release 2 transports: Streamable HTTP is always served here, with or without sessions. */
export function readTransportOptions(
  migration: Migration,
  file: SourceMigration,
  { member, isHybrid }: TransportsMember,
): EndpointOptions {
  const { morph } = file.facts;
  const list = getValue(member, morph);
  if (!morph.Node.isArrayLiteralExpression(list)) {
    return member === undefined ? NO_OPTIONS : { members: [], decisions: ['transports'] };
  }
  const transports = list.getElements().map((element) => findCreated(migration, element));
  const [http, ...others] = transports.filter(({ name }) => name === HTTP);
  const hasStdio = transports.some(({ name }) => name === STDIO);
  const isUnknown = transports.some(({ name }) => name !== HTTP && name !== STDIO);
  const options = http === undefined ? NO_OPTIONS : readHttp(migration, http.created);
  const decisions: readonly DecisionKey[] = [
    ...(hasStdio && (http !== undefined || isHybrid) ? (['stdioBeside'] as const) : []),
    ...(isUnknown || others.length > 0 ? (['transports'] as const) : []),
  ];
  return { ...options, decisions: [...options.decisions, ...decisions] };
}

interface CreatedTransport {
  readonly name: string | undefined;
  readonly created: NewExpression | undefined;
}

function findCreated(migration: Migration, element: Node): CreatedTransport {
  const { morph } = migration.facts;
  const made = findInitializer(element, morph) ?? element;
  if (!morph.Node.isNewExpression(made)) return { name: undefined, created: undefined };
  const name = migration.fileOf(made).nameOf(made.getExpression());
  return { name: name ?? made.getExpression().getText().split('.').at(-1), created: made };
}

function readHttp(migration: Migration, created: NewExpression | undefined): EndpointOptions {
  const { morph } = migration.facts;
  const [argument] = created?.getArguments() ?? [];
  const object = findObject(argument, morph);
  if (argument !== undefined && object === undefined) return { members: [], decisions: ['transports'] };
  const read = (name: string) => object && getValue(findProperty(object, name, morph), morph);
  const endpoint = read('endpoint');
  const members = [
    ...(endpoint === undefined ? [] : formatPath(endpoint, migration)),
    ...(read('statefulMode')?.getText() === 'true' ? [] : ['stateless: true']),
  ];
  const decisions = (object?.getProperties() ?? []).flatMap((member) => {
    const row = findMember(TRANSPORT_OPTIONS, getMemberName(member, morph) ?? '');
    if (row?.theirs === 'mount' && getValue(member, morph)?.getText() === 'true') {
      migration.leaveOut(member, 'mount: true');
      return [];
    }
    if (row !== undefined && isNeedless(row)) migration.leaveOut(member, row.theirs);
    return row?.decision ?? [];
  });
  const security = findObject(read('security'), morph);
  const hosts = security === undefined ? [] : readSecurity(migration, security);
  return { members: [...members, ...hosts], decisions: [...new Set<DecisionKey>(decisions)] };
}

/** Checks whether the server handles an option itself. Other options without a counterpart require a decision. */
function isNeedless({ ours, decision }: MemberReplacement): boolean {
  return ours === '—' || decision === 'protocol' || decision === 'sessionIds';
}

/** Reads the allowed origins and hosts, whose lists have the same form here. Local ones are always allowed. */
function readSecurity({ facts }: Migration, object: ObjectLiteralExpression): readonly string[] {
  const { morph } = facts;
  return ['allowedOrigins', 'allowedHosts'].flatMap((name) => {
    const value = getValue(findProperty(object, name, morph), morph);
    return morph.Node.isArrayLiteralExpression(value) ? [`${name}: ${value.getText()}`] : [];
  });
}

function formatPath(endpoint: Node, { facts }: Migration): readonly string[] {
  const { Node: is } = facts.morph;
  if (!is.isStringLiteral(endpoint)) return [`mcpPath: ${endpoint.getText()}`];
  const path = `/${endpoint.getLiteralValue()}`.replace(/\/{2,}/g, '/');
  const [quote = "'"] = endpoint.getText();
  return path === '/mcp' ? [] : [`mcpPath: ${quote}${path}${quote}`];
}

import { EVENTS_EXTENSION } from '../../protocol/extension-ids.js';
import { isObject } from '../../protocol/json-rpc.js';
import type { Check } from '../check.interface.js';
import { fault, ok, warning, type Outcome } from '../finding.js';
import type { Patient } from '../patient.js';
import { selectAsking, type Asking } from '../probe/select-asking.js';
import { quote } from '../quote.js';

/** Whether clients find the events that the server offers, by the working group's sketch and by SEP-3415. */
export const EVENTS_CHECKS: readonly Check[] = [{ id: 'events', run: checkEvents }];

/** The other name under which clients look for events. */
const CAPABILITY = 'events';

/** A longer list is examined so far. */
const MOST_PAGES = 20;

const MODES: ReadonlySet<unknown> = new Set(['poll', 'push', 'webhook']);

/** The codes of what does not exist, by the sketch and by SEP-3415. */
const NOT_FOUND: ReadonlySet<unknown> = new Set([-32011, -32023]);
const UNKNOWN_EVENT = 'nestjs-mcp.doctor/no-such-event';

async function checkEvents(patient: Patient): Promise<Outcome | undefined> {
  const asking = await selectAsking(patient, (capabilities) => listDeclared(capabilities).length > 0);
  if (asking === undefined) return undefined;
  const sources = await list(asking);
  if (sources === undefined) {
    return fault('"events/list" is answered without a list of events', 'Answer it with "events", an array');
  }
  const [found] = sources.flatMap(findFault);
  if (found !== undefined)
    return fault(`An event is not listed as clients need it: ${found}`, 'Correct its entry');
  return judgeNames(sources) ?? (await judgeUnknown(asking, sources)) ?? judgeDeclaration(asking, sources);
}

/** Reads the list; what is refused or too long to be read here ends it. */
async function list({ ask }: Asking): Promise<readonly unknown[] | undefined> {
  const sources: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { status, result, error, isComplete } = await ask(
      'events/list',
      cursor === undefined ? {} : { cursor },
    );
    if (result === undefined && (status >= 400 || (error !== undefined && page > 0) || !isComplete)) break;
    const events: unknown = result?.['events'];
    if (!Array.isArray(events)) return undefined;
    sources.push(...(events as readonly unknown[]));
    cursor = result?.['nextCursor'];
    if (cursor === undefined || cursor === null) break;
  }
  return sources;
}

function findFault(source: unknown): readonly string[] {
  const { name, delivery, inputSchema, payloadSchema } = isObject(source) ? source : {};
  if (typeof name !== 'string' || name === '') return ['an entry has no "name"'];
  const modes = Array.isArray(delivery) ? delivery : [];
  const isSubset = modes.every((mode) => MODES.has(mode)) && new Set(modes).size === modes.length;
  if (modes.length === 0 || !isSubset)
    return [`"delivery" of ${quote(name)} must have some of "poll", "push" and "webhook"`];
  const missing = Object.entries({ inputSchema, payloadSchema }).find(([, schema]) => !isObject(schema));
  return missing === undefined ? [] : [`${quote(name)} has no "${missing[0]}"`];
}

function judgeNames(sources: readonly unknown[]): Outcome | undefined {
  const names = sources.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return undefined;
  return fault(
    `Two events have the name ${quote(twice)}`,
    'Rename one of them: clients ask for events by name',
  );
}

/** A client must learn that an event is gone, or it asks for it for ever. */
async function judgeUnknown({ ask }: Asking, sources: readonly unknown[]): Promise<Outcome | undefined> {
  const isPolled = sources.some(
    (source) => isObject(source) && (source['delivery'] as unknown[]).includes('poll'),
  );
  if (!isPolled) return undefined;
  const { result, error } = await ask('events/poll', { name: UNKNOWN_EVENT, arguments: {}, cursor: null });
  const remedy = 'Answer with the error -32011, so that clients know that there is no such event';
  if (result !== undefined) return fault('"events/poll" answers for an event that does not exist', remedy);
  const code = error?.['code'];
  const isTold = code === undefined || NOT_FOUND.has(code);
  return isTold ? undefined : warning(`An event that does not exist is answered with ${quote(code)}`, remedy);
}

function judgeDeclaration({ capabilities }: Asking, sources: readonly unknown[]): Outcome {
  const [declared, ...others] = listDeclared(capabilities);
  if (others.length === 0) {
    const missing = declared === CAPABILITY ? `extensions["${EVENTS_EXTENSION}"]` : `"${CAPABILITY}"`;
    return warning(
      `Events are not declared as ${missing}, where some clients look for them`,
      'Declare them by both names',
    );
  }
  const silent = sources.find((source) => isObject(source) && typeof source['description'] !== 'string');
  if (silent !== undefined) {
    return warning(
      `The event ${quote(nameOf(silent))} has no "description"`,
      'Say when it fires: models choose by that',
    );
  }
  return ok(`Clients find the events: ${sources.length} listed`);
}

function listDeclared(capabilities: Asking['capabilities']): readonly string[] {
  const { extensions } = capabilities;
  const isExtension = isObject(extensions) && isObject(extensions[EVENTS_EXTENSION]);
  return [
    ...(isObject(capabilities[CAPABILITY]) ? [CAPABILITY] : []),
    ...(isExtension ? [EVENTS_EXTENSION] : []),
  ];
}

function nameOf(source: unknown): unknown {
  return isObject(source) ? source['name'] : undefined;
}

import { ErrorCode } from '../../protocol/error-codes.js';
import { EVENTS_EXTENSION } from '../../protocol/extension-ids.js';
import { isObject } from '../../protocol/json-rpc.js';
import type { Check } from '../check.interface.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Target } from '../target.js';
import { listPages } from '../probe/list-pages.js';
import { selectAsking, type Asking } from '../probe/select-asking.js';
import { quote } from '../quote.js';

/** Whether clients find the events that the server offers, by the working group's sketch and by SEP-3415. */
export const EVENTS_CHECKS: readonly Check[] = [{ id: 'events', run: checkEvents }];

/** The other name under which clients look for events. */
const CAPABILITY = 'events';

const MODES: ReadonlySet<unknown> = new Set(['poll', 'push', 'webhook']);

/** The code of what does not exist, by the sketch. */
const NOT_FOUND = -32011;
const UNKNOWN_EVENT = 'nestjs-mcp.doctor/no-such-event';

async function checkEvents(target: Target): Promise<Outcome | undefined> {
  const asking = await selectAsking(target, (capabilities) => listDeclared(capabilities).length > 0);
  if (asking === undefined) return undefined;
  const { entries: sources, outcome } = await listPages(
    (params) => asking.ask('events/list', params),
    'events/list',
    'events',
  );
  if (outcome !== undefined || sources === undefined) return outcome;
  const [found] = sources.flatMap(findFault);
  if (found !== undefined)
    return failure(`An event is not listed as clients need it: ${found}`, 'Correct its entry');
  return judgeNames(sources) ?? (await judgeUnknown(asking, sources)) ?? judgeDeclaration(asking, sources);
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
  return failure(
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
  const { status, result, error } = await ask('events/poll', {
    name: UNKNOWN_EVENT,
    arguments: {},
    cursor: null,
  });
  const fix = `Answer with the error ${NOT_FOUND}, so that clients know that there is no such event`;
  if (result !== undefined) return failure('"events/poll" answers for an event that does not exist', fix);
  const code = error?.['code'];
  // Who is asked too often says nothing of the event.
  const isLimited = status === 429 || code === ErrorCode.RateLimited;
  return code === undefined || code === NOT_FOUND || isLimited
    ? undefined
    : warning(`An event that does not exist is answered with ${quote(code)}`, fix);
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

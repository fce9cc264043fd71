import { ErrorCode } from '../../protocol/error-codes.js';
import { EVENTS_EXTENSION } from '../../protocol/meta-keys.js';
import { isObject } from '../../protocol/json-rpc.js';
import { type Check, failure, ok, type Outcome, quote, warning } from '../finding.js';
import type { Target } from '../target.js';
import { listPages, type Requester, selectRequester } from '../probe/requester.js';

/** Whether clients find the server's events, under the working group's draft and SEP-3415. */
export const EVENTS_CHECKS: readonly Check[] = [{ id: 'events', run: checkEvents }];

/** The other name that clients use to find events. */
const CAPABILITY = 'events';

const MODES: ReadonlySet<unknown> = new Set(['poll', 'push', 'webhook']);

/** The working group draft's code for something that does not exist. */
const NOT_FOUND = -32011;
const UNKNOWN_EVENT = 'nestjs-mcp.doctor/no-such-event';

async function checkEvents(target: Target): Promise<Outcome | undefined> {
  const asking = await selectRequester(target, (capabilities) => listDeclared(capabilities).length > 0);
  if (asking === undefined) return undefined;
  const { entries: sources, outcome } = await listPages(
    (params) => asking.request('events/list', params),
    'events/list',
    'events',
  );
  if (outcome !== undefined || sources === undefined) return outcome;
  const [found] = sources.flatMap(findProblem);
  if (found !== undefined) return failure(`Clients cannot use an event entry: ${found}`, 'Correct its entry');
  return judgeNames(sources) ?? (await judgeUnknown(asking, sources)) ?? judgeDeclaration(asking, sources);
}

function findProblem(source: unknown): readonly string[] {
  const { name, delivery, inputSchema, payloadSchema } = isObject(source) ? source : {};
  if (typeof name !== 'string' || name === '') return ['an entry has no "name"'];
  const modes = Array.isArray(delivery) ? delivery : [];
  const isSubset = modes.every((mode) => MODES.has(mode)) && new Set(modes).size === modes.length;
  if (modes.length === 0 || !isSubset)
    return [`"delivery" of ${quote(name)} must include at least one of "poll", "push" and "webhook"`];
  const missing = Object.entries({ inputSchema, payloadSchema }).find(([, schema]) => !isObject(schema));
  return missing === undefined ? [] : [`${quote(name)} has no "${missing[0]}"`];
}

function judgeNames(sources: readonly unknown[]): Outcome | undefined {
  const names = sources.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return undefined;
  return failure(
    `Two events have the name ${quote(twice)}`,
    'Rename one of them: clients request events by name',
  );
}

/** A client must learn that an event no longer exists, or it would poll for it indefinitely. */
async function judgeUnknown(
  { request }: Requester,
  sources: readonly unknown[],
): Promise<Outcome | undefined> {
  const isPolled = sources.some(
    (source) => isObject(source) && (source['delivery'] as unknown[]).includes('poll'),
  );
  if (!isPolled) return undefined;
  const { status, result, error } = await request('events/poll', {
    name: UNKNOWN_EVENT,
    arguments: {},
    cursor: null,
  });
  const fix = `Respond with the error ${NOT_FOUND}, so that clients learn that the event does not exist`;
  if (result !== undefined) return failure('"events/poll" succeeds for an event that does not exist', fix);
  const code = error?.['code'];
  // A rate limit reveals nothing about the event.
  const isLimited = status === 429 || code === ErrorCode.RateLimited;
  return code === undefined || code === NOT_FOUND || isLimited
    ? undefined
    : warning(`A request for an event that does not exist returns ${quote(code)}`, fix);
}

function judgeDeclaration({ capabilities }: Requester, sources: readonly unknown[]): Outcome {
  const [declared, ...others] = listDeclared(capabilities);
  if (others.length === 0) {
    const missing = declared === CAPABILITY ? `extensions["${EVENTS_EXTENSION}"]` : `"${CAPABILITY}"`;
    return warning(
      `Events are not declared under ${missing}, where some clients look`,
      'Declare them under both names',
    );
  }
  const silent = sources.find((source) => isObject(source) && typeof source['description'] !== 'string');
  if (silent !== undefined) {
    return warning(
      `The event ${quote(nameOf(silent))} has no "description"`,
      'Describe when it fires: models use that to choose',
    );
  }
  return ok(`Clients find the events: ${sources.length} listed`);
}

function listDeclared(capabilities: Requester['capabilities']): readonly string[] {
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

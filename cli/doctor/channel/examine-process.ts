import {
  type Check,
  count,
  end,
  failure,
  listFirst,
  ok,
  type Outcome,
  quote,
  warning,
} from '../../../lib/core/doctor/finding.js';
import { examineTarget, type Examination } from '../../../lib/core/doctor/examine-target.js';
import { listChecks } from '../../../lib/core/doctor/list-checks.js';
import { listPages, selectRequester } from '../../../lib/core/doctor/probe/requester.js';
import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';
import type { Target } from '../../../lib/core/doctor/target.js';
import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import { nameServer, type StartedServer } from '../../server/called-server.js';
import { CHECKS } from '../checks.js';
import { SKILL_FILES_CHECKS } from '../checks/skill-files.checks.js';
import { createTarget } from '../create-target.js';
import { ChannelWire } from './channel-wire.js';
import { ProcessChannels } from './process-channels.js';

/** Whether the server can list everything that it declares. */
const LISTS_CHECKS: readonly Check[] = [{ id: 'lists', run: checkLists }];

const LISTS = [
  { capability: 'tools', method: 'tools/list', member: 'tools', noun: 'tool' },
  { capability: 'resources', method: 'resources/list', member: 'resources', noun: 'resource' },
  { capability: 'prompts', method: 'prompts/list', member: 'prompts', noun: 'prompt' },
] as const;

async function checkLists(target: Target): Promise<Outcome | undefined> {
  const found: string[] = [];
  for (const { capability, method, member, noun } of LISTS) {
    const asking = await selectRequester(target, (capabilities) => isObject(capabilities[capability]));
    if (asking === undefined) continue;
    const { entries, outcome } = await listPages((params) => asking.request(method, params), method, member);
    if (outcome !== undefined) return outcome;
    found.push(count(entries?.length ?? 0, noun));
  }
  return found.length === 0
    ? undefined
    : ok(`The server lists everything that it declares: ${found.join(', ')}`);
}

/** The checks that do not need a URL. */
export const WITHOUT_URL: readonly Check[] = listChecks(
  { lists: LISTS_CHECKS, skillFiles: SKILL_FILES_CHECKS },
  false,
);

/** The checks that are skipped because a stdio server has no URL. */
export const SKIPPED_CHECKS: readonly string[] = CHECKS.map(({ id }) => id).filter((id) =>
  WITHOUT_URL.every((check) => check.id !== id),
);

/** A placeholder, because no check here uses the URL. */
const NO_URL = new URL('stdio://server');

/** Starts a stdio server and examines it. */
export async function examineProcess(server: StartedServer): Promise<Examination> {
  const channels = new ProcessChannels(server);
  const wire = new ChannelWire(channels.create, server.timeoutMs);
  const { timeoutMs } = server;
  const target = createTarget(
    { url: NO_URL, token: undefined, json: false, timeoutMs, headers: {}, origin: NO_URL.origin },
    wire,
  );
  const checkStart = (examined: Target) => judgeStart(examined, server, channels);
  const checkEnd = async () => {
    await wire.close();
    return judgeEnd(channels);
  };
  try {
    return await examineTarget(target, [
      { id: 'process', run: checkStart },
      ...WITHOUT_URL,
      { id: 'standard-output', run: async () => judgeOutput(channels) },
      { id: 'process-end', run: checkEnd },
    ]);
  } finally {
    await wire.close();
  }
}

async function judgeStart(
  target: Target,
  server: StartedServer,
  channels: ProcessChannels,
): Promise<Outcome> {
  const command = quote(nameServer(server));
  try {
    await target.initialize();
    return ok(`${command} starts and responds`);
  } catch (cause) {
    if (!(cause instanceof ProbeError)) throw cause;
    const { log, strayLines } = channels;
    const said = log.length > 0 ? `: ${listFirst(log.slice(-3).map(quote))}` : '';
    const stray = strayLines.length > 0 ? `, and writes ${listFirst(strayLines.map(quote))} instead` : '';
    const fix =
      'Run the command directly, and make sure that it starts with the variables that you pass with "--env"';
    return end(failure(`${command} ${cause.reason}${stray}${said}`, fix), 'unreachable');
  }
}

/** A single log line makes some clients disconnect. */
function judgeOutput({ strayLines }: ProcessChannels): Outcome {
  if (strayLines.length === 0) return ok('Standard output contains only messages');
  return failure(
    `Standard output contains ${count(strayLines.length, 'line')} that ${strayLines.length === 1 ? 'is not a message' : 'are not messages'}: ${listFirst(strayLines.map(quote))}`,
    'Write logs to standard error: clients fail if a line of standard output is not a JSON-RPC message',
  );
}

function judgeEnd({ wasForced }: ProcessChannels): Outcome {
  if (!wasForced) return ok('The process exits when standard input closes');
  return warning(
    'The process did not exit when standard input closed, and had to be killed',
    'Exit when standard input closes: otherwise a client that crashes leaves the process running',
  );
}

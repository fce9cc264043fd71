import { type JwtOptions } from 'nestjs-mcp';

import { type Contender } from './contender.js';
import { type Setup } from './plan.js';
import { type Exchange } from './exchange.js';
import { FanOutContender } from './fan-out.js';
import { LoadContender } from './load.js';
import { findRedisUrl } from './shared-redis.js';
import { MemoryContender } from './memory.js';
import { startProtection } from './protection.js';
import { ServerProcess } from './server-process.js';
import { type Recorder, type ServerSettings } from './servers/serve.js';
import { StartUpContender } from './start-up.js';
import { type Subject } from './subjects.js';
import { type Wire } from './wire.js';

/** Which server is started, and with what. */
export interface Assignment {
  subject: Pick<Subject, 'program' | 'variant'>;
  wire: Wire;
  /** How many tools to register. */
  tools: number;
  resources?: number;
  /** How many sessions are open besides those of the connections. */
  idleSessions?: number;
  /** Has every request bring a JWT, and the server check it by these options. */
  jwt?: JwtOptions;
  /** Has the server share what it must with other processes, although there are none. */
  isShared?: boolean;
  /** The resource whose change is announced, if it is not that of a list. */
  announcedUri?: string;
  /** Has somebody record spans and metrics. */
  recorder?: Recorder;
}

const OUR_PROGRAM = 'nestjs-mcp';

/** Starts a server that is sent one request after the other. */
export async function startLoad(
  assignment: Assignment & { exchange: Exchange },
  setup: Setup,
): Promise<Contender> {
  const { exchange, idleSessions = 0 } = assignment;
  const { load, firstWarmUpMs } = setup.plan;
  const server = await startServer(assignment, setup, {
    ...(idleSessions > 0 && { sessions: idleSessions * 2 }),
  });
  return new LoadContender({ server, exchange, plan: load, firstWarmUpMs, idleSessions });
}

/** Starts a server whose notifications go to open streams. */
export async function startFanOut(
  assignment: Assignment,
  setup: Setup,
  kind: 'fanOut' | 'wideFanOut',
): Promise<Contender> {
  const plan = setup.plan[kind];
  const server = await startServer(assignment, setup, { announces: true, sessions: plan.streams * 2 });
  return new FanOutContender(server, plan, assignment.announcedUri);
}

/** Starts a server whose memory is measured. */
export async function startMemory(assignment: Assignment, setup: Setup): Promise<Contender> {
  return new MemoryContender(await startServer(assignment, setup, {}, ['--expose-gc']), setup.plan.memory);
}

/** Makes what starts a server over and over. */
export async function startStartUp(
  assignment: Assignment & { exchange: Exchange },
  setup: Setup,
): Promise<Contender> {
  return new StartUpContender(() => startServer(assignment, setup), assignment.exchange);
}

let profiles = 0;

async function startServer(
  { subject, wire, tools, resources = 0, jwt, recorder, isShared = false, announcedUri }: Assignment,
  { profile, processors }: Setup,
  settings: Partial<ServerSettings> = {},
  nodeOptions: string[] = [],
): Promise<ServerProcess> {
  const { program, variant } = subject;
  const isProfiled = profile !== undefined && program === OUR_PROGRAM;
  profiles += 1;
  const protection = jwt && (await startProtection(jwt));
  return ServerProcess.start(
    program,
    {
      wire,
      tools,
      resources,
      announces: false,
      ...(protection && { auth: protection.auth }),
      ...(recorder && { recorder }),
      ...(isShared && { redisUrl: await findRedisUrl() }),
      ...(announcedUri !== undefined && { announcedUri }),
      ...(variant === undefined ? {} : { variant }),
      ...settings,
    },
    {
      processors,
      nodeOptions: [
        ...nodeOptions,
        ...(isProfiled
          ? [
              '--cpu-prof',
              `--cpu-prof-dir=${profile.directory}`,
              `--cpu-prof-name=${profile.name}-${profiles}.cpuprofile`,
            ]
          : []),
      ],
      endsGently: isProfiled,
      protection,
    },
  );
}

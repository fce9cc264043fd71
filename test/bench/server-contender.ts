import type { JwtOptions } from 'nestjs-mcp';

import type { Contender } from './contender.js';
import type { Setup } from './plan.js';
import { DeliveryContender } from './delivery.js';
import type { Exchange } from './exchange.js';
import { FanOutContender } from './fan-out.js';
import { LoadContender } from './load.js';
import { findRedisUrl } from './shared-redis.js';
import { MemoryContender } from './memory.js';
import { startProtection } from './protection.js';
import { ServerProcess } from './server-process.js';
import type { HandlerStyle, Recorder, ServerSettings } from './servers/serve.js';
import { StartUpContender } from './start-up.js';
import { StdioStartUpContender } from './stdio-start-up.js';
import type { Subject } from './subjects.js';
import type { Wire } from './wire.js';

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
  /** Has somebody subscribe to the audit of the server. */
  isAudited?: boolean;
  /** What the handler has around it. */
  handler?: HandlerStyle;
  /** Has the server not count what a message is made of. */
  isUnbounded?: boolean;
}

/** What is read of a server that is started over and over: how long it took to its first answer, or what it holds then. */
export type Measured = 'time' | 'memory';

const OUR_PROGRAMS = ['nestjs-mcp', 'nestjs-mcp-handlers', 'gateway'];
const WITHOUT_BOUNDS = new URL('servers/without-bounds.js', import.meta.url).href;

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
  kind: 'fanOut' | 'wideFanOut' | 'fewStreams',
): Promise<Contender> {
  const plan = setup.plan[kind];
  const { announcedUri, idleSessions = 0 } = assignment;
  const sessions = (plan.streams + idleSessions) * 2;
  const server = await startServer(assignment, setup, { announces: true, sessions });
  return new FanOutContender({ server, plan, announcedUri, idleSessions });
}

/** Starts a server whose notifications are timed: of two processes if it is shared, one of which announces what the other one sends. */
export async function startDelivery(
  assignment: Assignment & { announcedUri: string },
  setup: Setup,
): Promise<Contender> {
  const redisPrefix = `delivery-${started}`;
  const start = () => startServer(assignment, setup, { announces: true, redisPrefix });
  const listening = await start();
  const announcing = assignment.isShared === true ? await start() : listening;
  const { announcedUri } = assignment;
  return new DeliveryContender({ announcing, listening, plan: setup.plan.delivery, announcedUri });
}

/** Starts a server whose memory is measured. */
export async function startMemory(assignment: Assignment, setup: Setup): Promise<Contender> {
  return new MemoryContender(await startServer(assignment, setup, {}, ['--expose-gc']), setup.plan.memory);
}

/** Makes what starts a server over and over. */
export async function startStartUp(
  assignment: Assignment & { exchange: Exchange; measured?: Measured },
  setup: Setup,
): Promise<Contender> {
  const { exchange, measured = 'time' } = assignment;
  const nodeOptions = measured === 'memory' ? ['--expose-gc'] : [];
  return new StartUpContender(() => startServer(assignment, setup, {}, nodeOptions), exchange, measured);
}

/** Makes what starts a server at a pipe over and over. */
export async function startStdioStartUp(program: string, tools: number): Promise<Contender> {
  return new StdioStartUpContender(program, { wire: 'handshake', tools, resources: 0, announces: false });
}

let started = 0;

/** Starts a server in a process of its own. */
export async function startServer(
  {
    subject,
    wire,
    tools,
    resources = 0,
    jwt,
    recorder,
    isAudited = false,
    isShared = false,
    handler,
    announcedUri,
    isUnbounded = false,
  }: Assignment,
  { profile, processors }: Setup,
  settings: Partial<ServerSettings> = {},
  nodeOptions: string[] = [],
): Promise<ServerProcess> {
  const { program, variant } = subject;
  const isProfiled = profile !== undefined && OUR_PROGRAMS.includes(program);
  started += 1;
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
      ...(isAudited && { isAudited }),
      ...(handler && { handler }),
      ...(isShared && { redisUrl: await findRedisUrl(), redisPrefix: `bench-${started}` }),
      ...(announcedUri !== undefined && { announcedUri }),
      ...(variant === undefined ? {} : { variant }),
      ...settings,
    },
    {
      processors,
      nodeOptions: [
        ...nodeOptions,
        ...(isUnbounded ? ['--import', WITHOUT_BOUNDS] : []),
        ...(isProfiled
          ? [
              '--cpu-prof',
              `--cpu-prof-dir=${profile.directory}`,
              `--cpu-prof-name=${profile.name}-${started}.cpuprofile`,
            ]
          : []),
      ],
      endsGently: isProfiled,
      protection,
    },
  );
}

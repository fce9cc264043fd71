import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DELAYS,
  FAILURES,
  FAULTS,
  MESSAGES,
  ODDITIES,
  PLACES,
  SECRET,
  STREAMS,
} from '../programs/faulty/faults.js';
import type { JsonObject } from '../support/clients/message.js';
import { readText, WIRES, WireServers, type Reply, type WireClient } from './faulty-wires.js';

const CALLS = 50;
/** Enough for whatever ends by itself, on a machine that does much else. */
const PATIENT = { CALL_TIMEOUT_MS: '60000' };
/** Soon over, for what never ends by itself. */
const HASTY = { CALL_TIMEOUT_MS: '250' };
const HIDDEN = /^Internal error(?: \(incident \w+\))?$/;
const LATE = 'The call took longer than 250 ms and was stopped';

type Operation = (client: WireClient, kind: string) => Promise<Reply>;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  tool: (client, kind) => client.request('tools/call', { name: 'fault', arguments: { kind } }),
  resource: (client, kind) => client.request('resources/read', { uri: `faulty://${kind}` }),
  prompt: (client, kind) => client.request('prompts/get', { name: 'prompt', arguments: { kind } }),
  completion: (client, kind) => client.request('completion/complete', completionOf(kind)),
};

/** What a caller is told, and whether as a result or as an error. */
interface Told {
  readonly isResult: boolean;
  readonly isError: boolean;
  readonly code: number | undefined;
  readonly text: string | undefined;
}

let patient: WireServers;
let hasty: WireServers;

beforeAll(async () => {
  [patient, hasty] = await Promise.all([WireServers.start(PATIENT), WireServers.start(HASTY)]);
});

afterAll(() => Promise.all([patient.stop(), hasty.stop()]));

describe.each(WIRES)('A server whose handlers fail, over %s', (wire) => {
  let client: WireClient;
  let other: WireClient;
  /** What this one begins has little time. */
  let hurried: WireClient;

  beforeAll(async () => {
    client = await patient.connect(wire);
    other = await patient.connect(wire);
    hurried = await hasty.connect(wire);
  });

  it.each(Object.keys(OPERATIONS))(
    'answers every fault of a %s as published and says nothing of it, while other calls go on (SAFE-04) (CORE-01) (CORE-05)',
    async (name) => {
      const operate = OPERATIONS[name] as Operation;
      const meet = (kind: string) => operate(kind in DELAYS ? hurried : client, kind);
      const faults = Object.keys(FAULTS).map(async (kind) => [kind, await meet(kind)] as const);
      const calls = [client, other, hurried].map((caller) => callOften(caller));
      const answers = Object.fromEntries(await Promise.all(faults));
      const texts = (await Promise.all(calls)).flat();

      expect(JSON.stringify(answers)).not.toMatch(new RegExp(`${SECRET}|\\.[jt]s:\\d|at `));
      expect(findUnlike(answers, FAILURES, isHidden(name))).toEqual({});
      expect(findUnlike(answers, DELAYS, isLate(name))).toEqual({});
      expect(findUnlike(answers, MESSAGES, isMessage(name))).toEqual({});
      expect(findUnlike(answers, ODDITIES, isAnswer)).toEqual({});
      expect(findUnlike(answers, PLACES, name === 'tool' ? isHidden(name) : isAnswer)).toEqual({});
      expect(findUnlike(answers, STREAMS, name === 'resource' ? isAnswer : isHidden(name))).toEqual({});
      expect(texts.filter((text, turn) => text !== `t${turn % CALLS}`)).toEqual([]);
    },
  );
});

/** Calls one after the other what works, and gives what came of it. */
async function callOften(client: WireClient): Promise<string[]> {
  const texts = Array.from({ length: CALLS }, (_, turn) => `t${turn}`);
  return Promise.all(
    texts.map(async (text) =>
      readText(await client.request('tools/call', { name: 'echo', arguments: { text } })),
    ),
  );
}

function findUnlike(
  answers: Readonly<Record<string, Reply>>,
  kinds: object,
  isRight: (told: Told, kind: string) => boolean,
): Record<string, Told> {
  const told = Object.keys(kinds).map((kind) => [kind, tell(answers[kind] ?? {})] as const);
  return Object.fromEntries(told.filter(([kind, what]) => !isRight(what, kind)));
}

function tell(reply: Reply): Told {
  const { result, error } = reply;
  return {
    isResult: result !== undefined,
    isError: result?.['isError'] === true || error !== undefined,
    code: error?.code,
    text: error?.message ?? readText(reply),
  };
}

/** A tool fails as a result; what cannot even be looked at, as an error. */
function isHidden(name: string): (told: Told) => boolean {
  return ({ isResult, isError, code, text = '' }) =>
    isError && HIDDEN.test(text) && (isResult ? name === 'tool' : code === -32603);
}

function isLate(name: string): (told: Told) => boolean {
  return ({ isError, code, text }) =>
    isError && text === LATE && code === (name === 'tool' ? undefined : -32603);
}

function isMessage(name: string): (told: Told) => boolean {
  return ({ code, text }) => text === 'No such ticket' && code === (name === 'tool' ? undefined : -32602);
}

/** What fits the method is given, and what does not is refused without a word. */
function isAnswer({ isResult, isError, code, text = '' }: Told): boolean {
  return isResult ? !isError : [-32603, -32602, -32002].includes(code ?? 0) && !text.includes(SECRET);
}

function completionOf(value: string): JsonObject {
  return { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'kind', value } };
}

import { Keyring } from '../../../lib/core/sealing/keyring.js';
import { Sealer, type SealPurpose } from '../../../lib/core/sealing/sealer.js';
import { SessionIdCodec } from '../../../lib/server/sessions/session-id.codec.js';
import { assertHolds, assertSame, readJson } from '../contract.js';

const SEALER = new Sealer(new Keyring(['a secret that the fuzzer does not know', 'the one before']));
const CODEC = new SessionIdCodec(SEALER, true, '/mcp');
const PURPOSES: readonly SealPurpose[] = ['session-id', 'request-state', 'extension'];

/** Opens what clients bring back, and what was sealed for them and then changed. */
export function fuzz(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  for (const purpose of PURPOSES)
    assertHolds(SEALER.open(purpose, text) === undefined, 'nobody else can seal');
  assertHolds(CODEC.parse(text) === undefined, 'nobody else can make a session');
  const value = readJson(bytes) ?? text;
  const sealed = SEALER.seal('extension', value);
  assertHolds(/^[\w.-]+$/.test(sealed), 'what is sealed is safe in a header');
  assertSame(SEALER.open('extension', sealed), value, 'what is sealed comes back');
  assertHolds(SEALER.open('request-state', sealed) === undefined, 'a seal is for one purpose');
  const at = (bytes[0] ?? 0) % sealed.length;
  const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
  assertHolds(SEALER.open('extension', changed) === undefined, 'what was changed does not open');
  assertHolds(
    SEALER.open('extension', `${sealed}${text.slice(0, 1)}`) === undefined || text === '',
    'nothing is added',
  );
  CODEC.parse(SEALER.seal('session-id', value));
}

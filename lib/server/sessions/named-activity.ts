import { fingerprintSession } from '../../core/protocol/fingerprint-session.js';
import { Activity } from './activity.js';
import { readSessionKey } from './session-key.js';

/** What continues under the id of a session, which only its client and the server know. */
export abstract class NamedActivity extends Activity {
  #fingerprint: string | undefined;

  constructor(readonly id: string) {
    super();
  }

  /** What the session is called between processes. */
  get key(): string {
    return readSessionKey(this.id);
  }

  /** What the session is called where others read it. */
  get fingerprint(): string {
    return (this.#fingerprint ??= fingerprintSession(this.id));
  }
}

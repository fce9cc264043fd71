import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { SealedRecords } from '../storage/sealed-records.js';

/** The kinds of single-use records. They belong to a grant, and are invalid once it is revoked. */
const OF_A_GRANT: ReadonlySet<string> = new Set(['AuthorizationCode', 'RefreshToken', 'AccessToken']);

/** The lifetime, in seconds, of records for which the engine sets none, such as registered clients. */
export interface ClientExpiry {
  readonly unusedSeconds: number;
  readonly usedSeconds: number;
}

/**
 * Stores one kind of record for the engine. Codes and refresh tokens can be used only once, even if two processes
 * receive them at the same moment.
 */
export class SealedAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly records: SealedRecords,
    private readonly expiry: ClientExpiry,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<void> {
    const seconds = expiresInSeconds ?? this.expiry.unusedSeconds;
    await this.records.write(this.kind, id, { ...payload }, seconds);
    if (this.kind === 'Session' && payload.uid !== undefined)
      await this.records.write('SessionUid', payload.uid, { id }, seconds);
    if (this.kind === 'RefreshToken') await this.#extendLogin(payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const payload: AdapterPayload | undefined = await this.records.read(this.kind, id);
    if (this.kind === 'Grant' && (await this.records.read('RevokedGrant', id))) return undefined;
    if (payload === undefined || !OF_A_GRANT.has(this.kind)) return payload;
    const { grantId } = payload;
    if (grantId !== undefined && (await this.records.read('RevokedGrant', grantId))) return undefined;
    const consumption = await this.records.read('Consumed', `${this.kind} ${id}`);
    return consumption === undefined ? payload : { ...payload, consumed: Number(consumption['at']) };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const pointer = await this.records.read('SessionUid', uid);
    return pointer === undefined ? undefined : this.find(String(pointer['id']));
  }

  /** User codes belong to the device flow, which is disabled. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /**
   * Consumes a code or a refresh token. If it has already been consumed, one of the two uses was a theft, so the grant
   * is revoked, even if the second use happens later (RFC 9700 §4.14.2).
   *
   * @throws {InvalidGrant} if the record has been consumed in the meantime
   */
  async consume(id: string): Promise<void> {
    const at = Math.floor(Date.now() / 1000);
    const isFirst = await this.records.add('Consumed', `${this.kind} ${id}`, { at }, this.expiry.usedSeconds);
    if (isFirst) return;
    const payload: AdapterPayload | undefined = await this.records.read(this.kind, id);
    if (payload?.grantId !== undefined) await this.revokeByGrantId(payload.grantId);
    throw new errors.InvalidGrant('already consumed');
  }

  async destroy(id: string): Promise<void> {
    await this.records.take(this.kind, id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.records.write('RevokedGrant', grantId, {}, this.expiry.usedSeconds);
  }

  /** A login lasts as long as its tokens can be refreshed, which requires its grant, user and client. */
  async #extendLogin({ grantId, accountId, clientId }: AdapterPayload): Promise<void> {
    const { records } = this;
    const { usedSeconds } = this.expiry;
    const grant = grantId === undefined ? undefined : await records.read('Grant', grantId);
    if (grantId !== undefined && grant !== undefined) {
      const exp = Math.floor(Date.now() / 1000) + usedSeconds;
      await records.write('Grant', grantId, { ...grant, exp }, usedSeconds);
    }
    const user = accountId === undefined ? undefined : await records.read('User', accountId);
    if (accountId !== undefined && user !== undefined)
      await records.write('User', accountId, user, usedSeconds);
    if (clientId !== undefined) await SealedAdapter.extend(records, clientId, usedSeconds);
  }

  /** Retains a client for as long as its tokens can be refreshed, because a user has logged in with it. */
  static async extend(records: SealedRecords, clientId: string, seconds: number): Promise<void> {
    const payload = await records.read('Client', clientId);
    if (payload !== undefined) await records.write('Client', clientId, payload, seconds);
  }
}

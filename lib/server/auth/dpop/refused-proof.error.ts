/** Why a proof, or the token that it goes with, is refused, by its name on the wire (RFC 9449 §7.1, §9). */
export type ProofFault = 'invalid_dpop_proof' | 'invalid_token' | 'use_dpop_nonce';

/** Says why a request by the scheme `DPoP` is refused. */
export class RefusedProofError extends Error {
  override readonly name = 'RefusedProofError';

  constructor(
    /** The fault, for the sender: a sentence without quotes and without secrets. */
    readonly description: string,
    readonly fault: ProofFault = 'invalid_dpop_proof',
    options?: ErrorOptions,
  ) {
    super(description, options);
  }
}

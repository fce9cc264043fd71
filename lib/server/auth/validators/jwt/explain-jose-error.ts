import { errors } from 'jose';
import { shorten } from '../../../schema/validation-issues.js';

/** Longer ones repeat what a token says. */
const LONGEST = 200;

/** Says why a signature does not count. */
export function explainJoseError(error: unknown): string {
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'no key of the issuer made its signature';
  return error instanceof Error ? shorten(error.message, LONGEST) : 'its signature cannot be checked';
}

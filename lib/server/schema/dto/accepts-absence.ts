import type { ValidationMetadata } from './dto-libraries.js';

/** Decorators that let an absent value pass; if a property has no others, it is optional. */
const ACCEPT_ABSENCE = new Set([
  'whitelistValidation',
  'nestedValidation',
  'promiseValidation',
  'isEmpty',
  'isNotIn',
  'notEquals',
]);

/** Tells whether a property may be left out, by its decorators. */
export function acceptsAbsence(decorators: readonly ValidationMetadata[]): boolean {
  if (decorators.some(({ type }) => type === 'conditionalValidation')) return true;
  return decorators.every(
    ({ type, name, validateIf }) =>
      validateIf !== undefined || ACCEPT_ABSENCE.has(type) || ACCEPT_ABSENCE.has(name ?? ''),
  );
}

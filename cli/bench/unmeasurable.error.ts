/** Is thrown if one part of a server cannot be measured. The other parts are still measured. */
export class UnmeasurableError extends Error {
  override readonly name = 'UnmeasurableError';
}

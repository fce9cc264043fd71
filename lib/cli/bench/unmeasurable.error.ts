/** Is thrown if something of a server cannot be measured: everything else is measured all the same. */
export class UnmeasurableError extends Error {
  override readonly name = 'UnmeasurableError';
}

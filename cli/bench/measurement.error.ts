/** Thrown if one part of a server cannot be measured. The other parts are still measured. */
export class MeasurementError extends Error {
  override readonly name = 'UnmeasurableError';
}

/** Is thrown if the configuration of a client cannot be changed by itself. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Is thrown if a skill cannot be served. */
export class SkillError extends Error {
  override readonly name = 'SkillError';

  constructor(
    /** Where it is: a folder, or a class with its method. */
    readonly place: string,
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(`The skill at "${place}" cannot be served: ${explanation}`, options);
  }
}

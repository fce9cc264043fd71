/** A string is not a URI template, or a template cannot expand a value. */
export class UriTemplateError extends Error {
  override readonly name = 'UriTemplateError';

  constructor(
    readonly template: string,
    explanation: string,
  ) {
    super(`The URI template "${shorten(template)}" ${explanation}`);
  }
}

function shorten(template: string): string {
  return template.length > 200 ? `${template.slice(0, 200)}…` : template;
}

/** Says why the page of an app cannot be served. */
export class AppPageError extends Error {
  override readonly name = 'AppPageError';
}

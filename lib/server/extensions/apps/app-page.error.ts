import { CatalogueError } from '../../catalogue/catalogue.error.js';

/** Says why the page of an app cannot be served. */
export class AppPageError extends CatalogueError {}

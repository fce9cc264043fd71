import { CatalogError } from '../../catalog/catalog.error.js';

/** Says why the page of an app cannot be served. */
export class AppPageError extends CatalogError {}

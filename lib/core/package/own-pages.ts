/** Where an application has the documentation of this package: messages name pages that fit the version that is installed. */
export const OWN_PAGES = 'node_modules/nestjs-mcp/docs';

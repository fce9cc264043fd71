/** The lists that are returned page by page (MCP server/utilities/pagination), and the results of tool search. */
export type PaginatedList =
  'tools' | 'prompts' | 'resources' | 'resourceTemplates' | 'foundTools' | 'events' | 'skills' | 'children';

/** The lists that are answered page by page (MCP server/utilities/pagination). */
export type PaginatedList = 'tools' | 'prompts' | 'resources' | 'resourceTemplates' | 'skills' | 'children';

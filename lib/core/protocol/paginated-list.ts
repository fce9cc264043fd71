/** The lists that are answered page by page (MCP server/utilities/pagination), and what a search of tools has found. */
export type PaginatedList = 'tools' | 'prompts' | 'resources' | 'resourceTemplates' | 'foundTools' | 'events';

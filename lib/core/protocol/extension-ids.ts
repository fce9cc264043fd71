/** The extension by which calls become tasks (MCP extension tasks, "Extension Identifier"). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The extension for events (the working group's sketch "Events"). */
export const EVENTS_EXTENSION = 'io.modelcontextprotocol/events';

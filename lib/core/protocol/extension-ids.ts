/** The extension that turns calls into tasks (MCP extension tasks, "Extension Identifier"). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The extension for events (the working group's draft "Events"). */
export const EVENTS_EXTENSION = 'io.modelcontextprotocol/events';

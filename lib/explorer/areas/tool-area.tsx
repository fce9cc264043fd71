import { EntryList } from './entry-list.js';
import { ToolCall } from './tool-call.js';
import type { AreaProps } from './area.js';

/** The tools, and the one that is chosen. */
export function ToolArea({ connection, chosen, open }: AreaProps) {
  const { tools } = connection.offer;
  const tool = tools.find(({ name }) => name === chosen);
  const entries = tools.map(({ name, description }) => ({ key: name, title: name, text: description }));
  return (
    <div class="columns">
      <section aria-label="Choose a tool">
        <EntryList label="tools" entries={entries} chosen={chosen} onChoose={(name) => open('tools', name)} />
      </section>
      {tool !== undefined && <ToolCall key={tool.name} connection={connection} tool={tool} open={open} />}
    </div>
  );
}

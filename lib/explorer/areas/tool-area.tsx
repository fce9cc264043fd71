import type { AreaProps } from './area.js';
import { ChoiceColumns } from './choice-columns.js';
import { ToolCall } from './tool-call.js';

/** The tools, and the one that is chosen. */
export function ToolArea({ connection, chosen, open }: AreaProps) {
  return (
    <ChoiceColumns
      label="tools"
      invitation="Choose a tool"
      items={connection.offer.tools}
      describe={({ name, description }) => ({ key: name, title: name, text: description })}
      chosen={chosen}
      onChoose={(name) => open('tools', name)}
      show={(tool) => <ToolCall key={tool.name} connection={connection} tool={tool} open={open} />}
    />
  );
}

import type { PanelProps } from './panel.js';
import { ChoiceColumns } from './choice-columns.js';
import { ToolCall } from './tool-call.js';

/** The tools, and the chosen one. */
export function ToolPanel({ connection, chosen, open }: PanelProps) {
  const { tools } = connection.offer;
  const entries = tools.map(({ name, title, annotations, description }) => ({
    key: name,
    title: title ?? annotations?.title ?? name,
    name,
    text: description,
  }));
  return (
    <ChoiceColumns
      invitation="Choose a tool"
      groups={[{ label: 'tools', entries, isListing: connection.isListing('tools') }]}
      chosen={chosen}
      onChoose={(name) => open('tools', name)}
      show={(name) => {
        const tool = tools.find((one) => one.name === name);
        return tool && <ToolCall key={tool.name} connection={connection} tool={tool} open={open} />;
      }}
    />
  );
}

import type { CallToolResult } from '@modelcontextprotocol/client';
import { Content } from './content.js';
import { JsonView } from './json-view.js';

export interface ResultViewProps {
  readonly result: CallToolResult;
  readonly onOpen: (uri: string) => void;
}

/** Shows what a tool gave. */
export function ResultView({ result, onOpen }: ResultViewProps) {
  const { content, structuredContent, isError } = result;
  return (
    <section class={isError ? 'result refused' : 'result'} aria-label="Result">
      <h3>{isError ? 'The tool says that it failed' : 'Result'}</h3>
      {content.map((block, index) => (
        <Content key={index} block={block} onOpen={onOpen} />
      ))}
      {structuredContent !== undefined && (
        <details>
          <summary>Structured content</summary>
          <JsonView value={structuredContent} />
        </details>
      )}
      <details>
        <summary>The whole result as JSON</summary>
        <JsonView value={result} />
      </details>
    </section>
  );
}

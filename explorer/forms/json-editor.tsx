import { useState } from 'preact/hooks';
import type { Json } from './json-schema.js';

export interface JsonEditorProps {
  readonly id: string;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly describedBy?: string;
  readonly rows?: number;
}

/** An editor for a JSON value. Invalid JSON is not used, and the editor shows the error. */
export function JsonEditor({ id, value, onChange, describedBy, rows = 4 }: JsonEditorProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, undefined, 2));
  const [problem, setProblem] = useState<string>();
  const change = (given: string) => {
    setText(given);
    try {
      onChange(given.trim() === '' ? undefined : (JSON.parse(given) as Json));
      setProblem(undefined);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <textarea
        id={id}
        rows={rows}
        spellcheck={false}
        class="code"
        value={text}
        placeholder="JSON"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? describedBy : `${id}-problem`}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <p class="problem" id={`${id}-problem`} role="status">
        {problem === undefined ? '' : `This is not valid JSON, and is not sent: ${problem}`}
      </p>
    </>
  );
}

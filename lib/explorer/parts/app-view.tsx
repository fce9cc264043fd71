import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '../connection/connection.js';
import { openApp } from './open-app.js';

export interface AppViewProps {
  readonly connection: Connection;
  readonly tool: Tool;
  readonly given: Record<string, unknown>;
  readonly result: CallToolResult;
}

/** The permissions of app frames: scripts in an origin of their own. */
const SANDBOX = 'allow-scripts allow-forms';

/** What an app wants to open is shown, the last ones of it. */
const MOST_LINKS = 5;

/** Shows the app of a tool, with what the tool gave. */
export function AppView({ connection, tool, given, result }: AppViewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState('The app has not begun yet.');
  const [links, setLinks] = useState<readonly string[]>([]);
  const [height, setHeight] = useState(300);
  useEffect(() => {
    if (frame.current === null) return undefined;
    const app = openApp(frame.current, {
      connection,
      tool,
      given,
      result,
      onBegin: () => setState(''),
      onSize: (pixels) => setHeight(Math.min(Math.max(pixels, 50), 800)),
      onLink: (link) => setLinks((before) => [...before, link].slice(-MOST_LINKS)),
    });
    app.ready.catch((error: unknown) => setState(`The app is not shown: ${connection.explain(error)}`));
    return () => void app.close();
  }, [result]);
  return (
    <section aria-label="App">
      <h3>App</h3>
      <iframe ref={frame} title={`App of ${tool.title ?? tool.name}`} sandbox={SANDBOX} height={height} />
      <p role="status" class="hint">
        {state}
      </p>
      {links.map((link, index) => (
        <p key={index}>
          The app wants to open <code>{link}</code>{' '}
          <button type="button" onClick={() => window.open(link, '_blank', 'noopener,noreferrer')}>
            Open it
          </button>
        </p>
      ))}
    </section>
  );
}

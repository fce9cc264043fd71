import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withServer } from './call-tool.mjs';
import { ROOT, run } from './shell.mjs';

/** Every kind of handler that there is a generator for. */
export const KINDS = readKinds();

/** Generates a handler of each kind by the Nest CLI of the application, each in a folder of its own. */
export function generateHandlers(app, kinds) {
  for (const kind of kinds) {
    console.log(run(app, 'npx', 'nest', 'generate', '-c', 'nestjs-mcp-cli', kind, `sales/${kind}-sample`));
    assert.ok(readdirSync(join(app, `src/sales/${kind}-sample`)).includes(`${kind}-sample.${kind}.spec.ts`));
  }
}

/** Calls what each generator has written, except the one that asks for tokens, in the application as it is built. */
export async function callHandlers(app) {
  const scheme = basename(app);
  await withServer(app, async (send) => {
    const ask = async (method, params) => {
      const { result, error } = await (await send(method, params)).json();
      assert.equal(error, undefined, `${method} ${JSON.stringify(params)}`);
      return result;
    };
    const read = async (uri) => (await ask('resources/read', { uri })).contents[0];
    const tool = await ask('tools/call', { name: 'tool_sample', arguments: { text: 'one two' } });
    assert.deepEqual(tool.structuredContent, { words: ['one', 'two'], total: 2 });
    assert.match((await read(`${scheme}://resource-sample`)).text, /The first entry/);
    assert.match((await read(`${scheme}://template-sample/second`)).text, /The second entry/);
    const prompt = await ask('prompts/get', { name: 'prompt_sample', arguments: { subject: 'tides' } });
    assert.match(prompt.messages[0].content.text, /about tides/);
    const shown = await ask('tools/call', { name: 'show_app_sample', arguments: {} });
    assert.deepEqual(shown.structuredContent.entries, [{ id: 'first', title: 'The first entry' }]);
    const { resources } = await ask('resources/list');
    const page = await read(resources.find(({ name }) => name === 'app_sample').uri);
    assert.equal(page.mimeType, 'text/html;profile=mcp-app');
    const { skills } = await ask('skills/list');
    assert.deepEqual(
      skills.map(({ frontmatter }) => frontmatter.name),
      ['skill-sample'],
    );
    assert.match((await read('skill://skill-sample/SKILL.md')).text, /name: skill-sample/);
    const { events } = await ask('events/list');
    assert.deepEqual(
      events.map(({ name }) => name),
      ['event.source.sample'],
    );
    const polled = await ask('events/poll', { name: 'event.source.sample', arguments: {} });
    assert.deepEqual(polled.events, []);
    const described = await ask('extension-sample/describe', { subject: 'tides' });
    assert.equal(described.length, 5);
  });
}

/** Tries what must leave the application as it is. */
export function generateNothing(app) {
  const before = listFiles(app);
  run(app, 'npx', 'nest', 'generate', '-c', 'nestjs-mcp-cli', 'tool', 'nothing', '--dry-run');
  for (const [kind, name] of [
    ['tool', 'delete'],
    ['tool', '1st'],
    ['unknown', 'nothing'],
  ]) {
    tryToRun(app, kind, name);
  }
  assert.deepEqual(listFiles(app), before);
}

/** The Nest CLI says what is wrong, and some of its releases end as if nothing were. */
function tryToRun(app, kind, name) {
  try {
    run(app, 'npx', 'nest', 'generate', '-c', 'nestjs-mcp-cli', kind, name);
  } catch (error) {
    assert.equal(error.status, 1);
  }
}

function listFiles(app) {
  const files = readdirSync(join(app, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((path) => [path, readFileSync(path, 'utf8')]);
}

function readKinds() {
  const { schematics } = JSON.parse(readFileSync(join(ROOT, 'cli/schematics/collection.json'), 'utf8'));
  return Object.keys(schematics).filter((name) => name !== 'init');
}

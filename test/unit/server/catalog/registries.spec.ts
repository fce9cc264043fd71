import { describe, expect, it } from '@jest/globals';
import { buildResourceTemplateEntry } from '../../../../lib/server/catalog/building/build-entries.js';
import {
  CompletionRegistry,
  formatCompletionKey,
  ResourceTemplateRegistry,
} from '../../../../lib/server/catalog/registries.js';

const answer = () => 'read';

describe('The resource template registry', () => {
  const templates = new ResourceTemplateRegistry();
  for (const uriTemplate of ['ticket://{id}', 'ticket://{id}/notes/{note}', 'ticket://{+path}']) {
    templates.add(buildResourceTemplateEntry({ uriTemplate, name: uriTemplate }, answer));
  }

  it('finds the template of a URI and its variables', () => {
    expect(templates.match('ticket://7/notes/2')).toMatchObject({
      entry: { key: 'ticket://{id}/notes/{note}' },
      variables: { id: '7', note: '2' },
    });
  });

  it('takes the first of several that match', () => {
    expect(templates.match('ticket://7')?.entry.key).toBe('ticket://{id}');
  });

  it('finds nothing for another URI', () => {
    expect(templates.match('note://7')).toBeUndefined();
  });
});

describe('The completion registry', () => {
  it('finds a completion by what it completes', () => {
    const completions = new CompletionRegistry();
    const ofPrompt = { prompt: 'greet', argument: 'name' };
    const ofTemplate = { resourceTemplate: 'greet', argument: 'name' };
    completions.add({ key: formatCompletionKey(ofPrompt), invoke: answer });
    expect(completions.findFor(ofPrompt)).toMatchObject({ invoke: answer });
    expect(completions.findFor(ofTemplate)).toBeUndefined();
    expect(completions.findFor({ prompt: 'greet', argument: 'style' })).toBeUndefined();
  });

  it('says in words which completion is there already, or is not (CORE-08)', () => {
    const completions = new CompletionRegistry();
    const key = formatCompletionKey({ prompt: 'greet', argument: 'name' });
    completions.add({ key, invoke: answer });
    expect(() => completions.add({ key, invoke: answer })).toThrow(
      'The completion of prompt "greet", argument "name" already exists: choose a different one, or remove the existing one first',
    );
    const other = formatCompletionKey({ resourceTemplate: 'x://{n}', argument: 'n' });
    expect(() => completions.replace({ key: other, invoke: answer })).toThrow(
      'There is no completion of resource template "x://{n}", argument "n": add it first',
    );
  });

  it('tells subjects apart whose names hold what stands between them', () => {
    const first = { prompt: 'a", argument "b', argument: 'c' };
    const second = { prompt: 'a', argument: 'b", argument "c' };
    expect(formatCompletionKey(first)).not.toBe(formatCompletionKey(second));
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { McpContext } from 'nestjs-mcp';
import { OpenElicitations } from '../../../../lib/gateway/calls/open-elicitations.js';

const inSession = (id: string) => ({ session: { id } }) as McpContext;

describe('OpenElicitations', () => {
  let completed: string[];
  let elicitations: OpenElicitations;

  beforeEach(() => {
    completed = [];
    const elicitationCompleted = (...ids: readonly string[]) => void completed.push(ids.join());
    elicitations = new OpenElicitations(2, { elicitationCompleted });
  });

  it('notifies the session that was asked, once (GATE-02)', () => {
    elicitations.note({ elicitationId: 'a' }, inSession('one'));
    elicitations.complete({ elicitationId: 'a' });
    elicitations.complete({ elicitationId: 'a' });
    expect(completed).toEqual(['one,a']);
  });

  it('ignores what nobody was asked, and clients without a session (GATE-02)', () => {
    elicitations.note({ elicitationId: 'a' }, {});
    elicitations.note({ elicitationId: 'b' }, undefined);
    elicitations.note({ message: 'a form' }, inSession('one'));
    for (const elicitationId of ['a', 'b', undefined, 'c']) elicitations.complete({ elicitationId });
    expect(completed).toEqual([]);
  });

  it('remembers no id that fills the memory (GATE-02)', () => {
    const [long, longest] = ['a'.repeat(257), 'a'.repeat(256)];
    for (const elicitationId of [long, longest]) elicitations.note({ elicitationId }, inSession('one'));
    for (const elicitationId of [long, longest]) elicitations.complete({ elicitationId });
    expect(completed).toEqual([`one,${longest}`]);
  });

  it('forgets the oldest beyond the maximum (GATE-02)', () => {
    for (const id of ['a', 'b', 'c']) elicitations.note({ elicitationId: id }, inSession('one'));
    for (const id of ['a', 'b', 'c']) elicitations.complete({ elicitationId: id });
    expect(completed).toEqual(['one,b', 'one,c']);
  });
});

import type { McpContext, SamplingResult } from 'nestjs-mcp';
import { describeRoom, type Room } from './room.js';
import type { Wish } from './wish.js';

/** Asks the client's model which of the free rooms fits best. Without a model to ask it is the smallest one. */
export async function suggestRoom(wish: Wish, free: readonly Room[], context: McpContext): Promise<Room> {
  const [smallest] = free as [Room];
  if (free.length === 1 || context.client.capabilities.sampling === undefined) return smallest;
  const { purpose, people } = wish;
  const answer = await context.sample({
    key: 'suggestion',
    systemPrompt: 'Answer with the name of one room and nothing else.',
    messages: [
      {
        role: 'user',
        content: {
          type: 'text',
          text: `Which room fits "${purpose}" with ${people} people best?\n${free.map(describeRoom).join('\n')}`,
        },
      },
    ],
    maxTokens: 20,
    temperature: 0,
  });
  const text = readText(answer);
  return free.find(({ name }) => text.includes(name)) ?? smallest;
}

function readText({ content }: SamplingResult): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
}

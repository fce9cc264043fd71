import type { Context, McpRequestWithUser } from '@rekog/mcp-nest';
import { RecordsTool } from './records.tool';

it('tells who is logged in', () => {
  const request = { user: { sub: '1', username: 'ada' } } as unknown as McpRequestWithUser;
  expect(new RecordsTool().whoAmI({}, {} as Context, request).content[0].text).toBe('ada');
});

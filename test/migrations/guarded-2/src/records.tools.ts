import { Payload } from '@nestjs/microservices';
import { McpController, McpRawRequest, PublicTool, Tool, ToolRoles, ToolScopes } from '@rekog/mcp-nest';
import { z } from 'zod';

@McpController()
export class RecordsTools {
  @Tool({ name: 'opening-hours', description: 'Tells when the clinic is open' })
  @PublicTool()
  openingHours() {
    return { content: [{ type: 'text', text: '8 to 18' }] };
  }

  @Tool({ name: 'who-am-i', description: 'Tells who is logged in' })
  whoAmI(@Payload() _args: unknown, @McpRawRequest() request?: { user?: any }) {
    return { content: [{ type: 'text', text: `${request?.user?.name}` }] };
  }

  @Tool({
    name: 'delete-record',
    description: 'Deletes a record',
    parameters: z.object({ id: z.string() }),
  })
  @ToolScopes(['records:write', 'records:delete'])
  @ToolRoles(['doctor'])
  deleteRecord(@Payload() { id }: { id: string }) {
    return { content: [{ type: 'text', text: `${id} is deleted` }] };
  }

  @Tool({ name: 'report', description: 'Needs one of two scopes' })
  @ToolScopes(['premium', 'admin'], { match: 'any' })
  report() {
    return { content: [{ type: 'text', text: 'the report' }] };
  }
}

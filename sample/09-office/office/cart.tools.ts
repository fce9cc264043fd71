import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';

const Line = z.object({
  cart: z.string().describe('The cart, as "open_cart" gave it'),
  item: z.string().describe('What to buy'),
});

/** Tools of guests, who have neither a token nor a session: they send back what they were given. */
@Injectable()
export class CartTools {
  @Tool({ name: 'open_cart', description: 'Opens an empty cart and returns its handle', tags: ['shopping'] })
  openCart(_arguments: object, { state }: McpContext) {
    return { cart: state.createHandle() };
  }

  @Tool({
    name: 'add_to_cart',
    description: 'Puts something into a cart',
    inputSchema: Line,
    tags: ['shopping', 'order'],
  })
  async add({ cart, item }: z.infer<typeof Line>, { state }: McpContext) {
    const items = await state.open(cart).update<string[]>('items', (before = []) => [...before, item]);
    return { items };
  }
}

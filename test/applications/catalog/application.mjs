/** A monorepo of the Nest CLI with GraphQL (Apollo) beside routes, and rows of a client in the shape of Prisma's. */
const products = '/products';
const chair = { title: 'Chair', price: 80 };
const graphql = (query) => ({ path: '/graphql', method: 'POST', body: { query } });

export default {
  checks: ['build', 'test'],
  start: ['dist/apps/shop/main'],
  environment: (port) => ({ PORT: String(port) }),
  initSays: [/created apps\/shop\/src\/greeting\.tools\.ts/, /127\.0\.0\.1:3200\/mcp/],
  hidden: ['supplierCost'],
  routeTools: {
    list_products: 'products_list',
    get_product: 'products_get',
    create_product: 'products_create',
  },
  calls: [
    { tool: 'list_products', route: { path: products } },
    { tool: 'get_product', arguments: { id: 2 }, route: { path: `${products}/2` } },
    { tool: 'get_product', arguments: { id: 9 }, route: { path: `${products}/9` } },
    { tool: 'find_product', arguments: { title: 'Lamp' }, matches: /"price":30/ },
    { tool: 'find_product', arguments: { title: 'Sofa' }, matches: /"text":"null"/ },
    {
      tool: 'create_product',
      arguments: chair,
      route: { path: products, method: 'POST', body: chair },
      differs: ['id', 'createdAt'],
      isOnce: true,
    },
    { route: graphql('{ products(title: "Lamp") { id title price priceWithTax } }') },
    {
      route: graphql('mutation { createProduct(input: { title: "Sofa bed", price: 400 }) { title price } }'),
    },
  ],
};

/** 2.x on standard input and output. */
export default {
  isPiped: true,
  endpoints: [
    {
      calls: [['forecast', { city: 'Paris' }]],
      resources: ['weather://cities'],
      prompts: [['plan', {}]],
    },
  ],
  left: [],
};

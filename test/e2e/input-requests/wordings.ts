/** A question for the user, where it does not matter what is asked. */
export const NAME = {
  message: 'Who are you?',
  schema: { type: 'object', properties: { name: { type: 'string' } } },
} as const;

/** A question for the model, where it does not matter what is asked. */
export const GUESS = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Who may it be?' } }],
  maxTokens: 10,
} as const;

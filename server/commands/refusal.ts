/** Thrown by a command that will not do what it was asked for. The message is for the person who asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

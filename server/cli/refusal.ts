/** Thrown by a command that will not do what it was asked for. The message is for the person who asked. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
}

/** Thrown by a command that tests something, where it could not be tested: nothing is known of it. */
export class NotTested extends Refusal {
  override readonly name = 'NotTested';
}

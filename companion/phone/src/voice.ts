/** The phone's own voice, for one pair of ears: off until its owner wants it. What only this seat is asked is said here alone. */

/** The part of the browser's voice that is used. */
export interface Synth {
  speak(said: SpeechSynthesisUtterance): void;
  cancel(): void;
}

const WAITING = 3;
const TONGUES: Record<string, string> = { en: "en-GB", pl: "pl-PL", fr: "fr-FR" };

export class Voice {
  private last = "";
  private waiting = 0;

  constructor(
    public on: boolean,
    private readonly synth: Synth | null = "speechSynthesis" in globalThis ? speechSynthesis : null,
    private readonly utter: (text: string) => SpeechSynthesisUtterance = (text) => new SpeechSynthesisUtterance(text),
  ) {}

  /** This phone can speak. */
  get there(): boolean {
    return this.synth !== null;
  }

  switch(on: boolean): void {
    this.on = on;
    this.last = "";
    this.synth?.cancel();
  }

  /** What is asked now: it interrupts, and the same is said once. */
  prompt(moment: string, text: string, language: string): void {
    if (!this.on || moment === this.last || text === "") return;
    this.last = moment;
    this.waiting = 0;
    this.synth?.cancel();
    this.speak(text, language);
  }

  /** What happened waits its turn; what is older than a few is on the screen. */
  event(text: string, language: string): void {
    if (!this.on || text === "" || this.waiting >= WAITING) return;
    this.waiting += 1;
    this.speak(text, language, () => (this.waiting = Math.max(0, this.waiting - 1)));
  }

  private speak(text: string, language: string, done?: () => void): void {
    const said = this.utter(text);
    said.lang = TONGUES[language] ?? "en-GB";
    if (done) said.onend = said.onerror = done;
    this.synth?.speak(said);
  }
}

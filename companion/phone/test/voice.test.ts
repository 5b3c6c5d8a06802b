import assert from "node:assert/strict";
import { test } from "node:test";
import { Voice } from "../src/voice";

function ear(on: boolean) {
  const loud: string[] = [];
  const synth = {
    speak: (said: SpeechSynthesisUtterance) => void loud.push(`${said.lang} ${said.text}`),
    cancel: () => void loud.push("-"),
  };
  return { loud, voice: new Voice(on, synth, (text) => ({ text }) as SpeechSynthesisUtterance) };
}

test("a phone is silent until its owner wants to hear it", () => {
  const { loud, voice } = ear(false);
  voice.prompt("g/1", "Your turn", "en");
  voice.event("Ben takes two coins", "en");
  assert.deepEqual(loud, []);
  voice.switch(true);
  voice.prompt("g/1", "Twoja kolej", "pl");
  assert.deepEqual(loud, ["-", "-", "pl-PL Twoja kolej"]);
});

test("the newest prompt interrupts, the same one is said once, and events do not pile up", () => {
  const { loud, voice } = ear(true);
  voice.prompt("g/1", "one", "en");
  voice.prompt("g/1", "one", "en");
  for (const text of ["a", "b", "c", "d"]) voice.event(text, "fr");
  voice.prompt("g/2", "two", "en");
  assert.deepEqual(loud, ["-", "en-GB one", "fr-FR a", "fr-FR b", "fr-FR c", "-", "en-GB two"]);
});

test("a browser without a voice loses nothing", () => {
  const voice = new Voice(true, null);
  assert.equal(voice.there, false);
  voice.switch(true);
});

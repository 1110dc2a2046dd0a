namespace BufferedMessages.CrossProcess.Torture;

/// <summary>How long it took after a death until every consumer name went on.</summary>
/// <param name="Time">From the death, or from the replacement of who was missing.</param>
/// <param name="OfOthers">Every part was played by somebody who was at work before; else a successor had to begin.</param>
/// <param name="Lateness">How late a timer of the watching process was meanwhile: so busy was the machine.</param>
internal readonly record struct Resumption(TimeSpan Time, bool OfOthers, TimeSpan Lateness);

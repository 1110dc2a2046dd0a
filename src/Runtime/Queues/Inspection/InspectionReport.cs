namespace BufferedMessages.Queues;

/// <summary>The result of an inspection of a queue.</summary>
/// <param name="Findings">Everything that was found, the tables first, then the log in the order of positions, then the files.</param>
/// <param name="Segments">Segments that were walked over.</param>
/// <param name="Messages">Messages that are whole.</param>
/// <param name="PayloadBytes">Bytes of their payloads.</param>
/// <param name="Unfinished">Records that their producers have not finished.</param>
/// <param name="First">The position of the first record.</param>
/// <param name="End">The position after the last one.</param>
internal sealed record InspectionReport(
    IReadOnlyList<Finding> Findings, int Segments, long Messages, long PayloadBytes, long Unfinished, long First, long End);

using BufferedMessages.Runtime.Tests.Arbitrary;
using Xunit.Abstractions;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>
/// Messages of random types, written by .NET: the readers in Python and in C give the same JSON and the same verdict, also on damaged messages, and the bytes that
/// Python writes of the values are those of .NET.
/// </summary>
[Collection(ArbitraryTypesCollection.Name)]
public class MessageReaderTests(ArbitraryTypes types, ITestOutputHelper output)
{
    private const int TypeCount = 90;
    private const int ValuesPerType = 50;
    private const int DamagedPerMessage = 160;
    private const int DamagedMessages = 100_000;
    private const int MaxDamagedBytes = 512;
    private const int Fuzzed = 150_000;

    private List<MessageCase> OwnTypes { get; } = [.. types.Cases.Where(static type => !type.IsFromNewerWriter)];

    [PythonFact]
    public void Python_reads_and_writes_what_dotnet_writes()
    {
        using var file = WholeMessages();
        var count = ReaderLine.AssertReads(file, PythonReader.Read(file), isWritten: true);
        output.WriteLine($"{count} messages, seed {types.Seed}");
    }

    [CompilerFact]
    public void C_reads_what_dotnet_writes()
    {
        using var file = WholeMessages();
        var count = ReaderLine.AssertReads(file, CReader.Read(file), isWritten: false);
        output.WriteLine($"{count} messages, seed {types.Seed}");
    }

    [PythonFact]
    public void Python_judges_damaged_messages_as_dotnet_does()
    {
        using var file = MakeDamaged();
        AssertVerdicts(file, PythonReader.Read(file), isWritten: true);
    }

    [CompilerFact]
    public void C_judges_damaged_messages_as_dotnet_does()
    {
        using var file = MakeDamaged();
        AssertVerdicts(file, CReader.Read(file), isWritten: false);
    }

    [CompilerFact]
    public void C_reads_damaged_messages_without_a_fault()
    {
        using var file = WholeMessages();
        output.WriteLine(ExternalProgram.Run(CReader.Fuzz, file.Save(), $"{Fuzzed}", $"{types.Seed}"));
    }

    // Types from all parts of the program: those with dictionaries by each kind of key, unions, and the random ones.
    private IEnumerable<(MessageCase Type, int Index)> ChosenTypes() =>
        Enumerable.Range(0, TypeCount).Select(i => (OwnTypes[i * OwnTypes.Count / TypeCount], i));

    private ReaderFile WholeMessages()
    {
        var file = new ReaderFile();
        foreach (var (type, index) in ChosenTypes())
        {
            file.Begin(type.Schema);
            for (var round = 0; round < ValuesPerType; round++)
            {
                file.Add(MakeMessage(type, (index * ValuesPerType) + round), isRead: true);
            }
        }

        return file;
    }

    private ReaderFile MakeDamaged()
    {
        var random = new Random(types.Seed);
        var file = new ReaderFile();
        for (var count = 0; count < DamagedMessages;)
        {
            var type = types.Cases[random.Next(types.Cases.Count)];
            var message = Enumerable.Range(0, 8).Select(_ => MakeMessage(type, random.Next())).OrderBy(static one => one.Length).LastOrDefault(static one => one.Length <= MaxDamagedBytes);
            if (message is null)
            {
                continue;
            }

            file.Begin(type.Schema);
            for (var i = 0; i < DamagedPerMessage; i++, count++)
            {
                var damaged = DamagedBytes.Of(message, random);
                file.Add(damaged, isRead: BufferedMessage.Verify(damaged, type.Schema, out _));
            }
        }

        return file;
    }

    private byte[] MakeMessage(MessageCase type, int round) => type.MakeMessage(new ArbitraryValues(unchecked(types.Seed + (round * 7919))));

    private void AssertVerdicts(ReaderFile file, IReadOnlyList<ReaderLine> lines, bool isWritten)
    {
        ReaderLine.AssertReads(file, lines, isWritten);
        var rules = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (var ((schema, message, _), line) in file.Messages.Zip(lines))
        {
            AssertSame(Verdict.Of(message, schema, exact: false), line.Plain, message, schema);
            AssertSame(Verdict.Of(message, schema, exact: true), line.Exact, message, schema);
            rules[line.Exact.Rule] = rules.GetValueOrDefault(line.Exact.Rule) + 1;
        }

        output.WriteLine($"{lines.Count} damaged messages, {lines.Count(static line => line.Plain.Rule.Length == 0)} still valid, {rules.Count} rules, seed {types.Seed}");
        Assert.True(lines.Count >= DamagedMessages);
        Assert.True(rules.Count >= 25, $"Only {rules.Count} rules were broken.");
    }

    private void AssertSame(Verdict expected, Verdict actual, byte[] message, MessageSchema schema)
    {
        if (expected != actual)
        {
            Assert.Fail($"By .NET {expected}, by the reader {actual}, seed {types.Seed}\n{Convert.ToHexString(message)}\n{schema}");
        }
    }
}

using System.Globalization;
using System.Text;
using BufferedMessages.Runtime.Tests.Messages;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>Schema texts that no generator writes, from a file that somebody else made: the readers take and refuse the same ones as .NET, and print the same JSON.</summary>
public sealed class ReaderSchemaTests : IDisposable
{
    private const int RefusedExitCode = 2;
    private const string NoBytes = "0100010010000000" + "0000000000000000";

    private readonly string _folder = Directory.CreateTempSubdirectory("schemas").FullName;

    /// <summary>A schema text, and a message in hex.</summary>
    public static TheoryData<string, string> Accepted => new()
    {
        { "message A\n0 u8 X\n1 u16 X\n2 string Y\n", "0200010018000000" + "0100030000000000" + "6162000000000082" },
        { "union U\n1 message(A) Card\n2 message(B) Card\nmessage A\n0 u8 X\nmessage B\n0 u8 Y\n", "0100010018000000" + "0100020008000000" + "0700000000000000" },
        { $"message A\n0 struct({new string('0', 5000)}8;0:u64) X\n", "0100010010000000" + "0700000000000000" },
        { "union U\n1 message(A) Card\nmessage A\n0 u8 $type\n", "0100010018000000" + "0100010008000000" + "0700000000000000" },
    };

    /// <summary>Schema texts that break a rule of the format.</summary>
    public static TheoryData<string> Refused =>
    [
        "message A\n0 i64 X\nmessage B\n0 list(message(B)) Y\n",
        "",
        "message A\n0 enum(enum(u8)) X\n",
        "message A\n0 enum(f32) X\n",
        "message A\n0 set(enum(bool)) X\n",
        "message A\n0 struct(8;0:enum(timespan)) X\n",
        "message A\n0 struct(16;0:decimal) X\n",
        "message A\n0 struct(8;0:datetime) X\n",
        "message A\n0 struct(16;0:datetimeoffset) X\n",
        "message A\n0 struct(4;0:dateonly) X\n",
        "message A\n0 list(struct(16;0:struct(8;0:timeonly)[2])) X\n",
    ];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [PythonTheory]
    [MemberData(nameof(Accepted))]
    public void Python_prints_the_JSON_of_dotnet(string schema, string message) => AssertPrints(schema, message, PythonReader.Program, PythonReader.Module);

    [CompilerTheory]
    [MemberData(nameof(Accepted))]
    public void C_prints_the_JSON_of_dotnet(string schema, string message) => AssertPrints(schema, message, CReader.Example);

    [PythonTheory]
    [MemberData(nameof(Refused))]
    public void Python_refuses_what_dotnet_refuses(string schema) => AssertRefuses(schema, PythonReader.Program, PythonReader.Module);

    [CompilerTheory]
    [MemberData(nameof(Refused))]
    public void C_refuses_what_dotnet_refuses(string schema) => AssertRefuses(schema, CReader.Example);

    private void AssertRefuses(string schema, string program, params string[] arguments)
    {
        Assert.Throws<FormatException>(() => MessageSchema.Parse(schema));
        var (exitCode, output, errors) = Run("json", Encoding.UTF8.GetBytes(schema), Convert.FromHexString(NoBytes), program, arguments);
        Assert.Equal((RefusedExitCode, ""), (exitCode, output));
        Assert.True(errors.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length == 1 && !errors.Contains("the message", StringComparison.Ordinal), errors);
    }

    [PythonFact]
    public void Python_reads_the_deepest_message_of_the_deepest_lists() => AssertReadsDeepest(PythonReader.Program, PythonReader.Module);

    [CompilerFact]
    public void C_reads_the_deepest_message_of_the_deepest_lists() => AssertReadsDeepest(CReader.Example);

    private void AssertReadsDeepest(string program, params string[] arguments)
    {
        foreach (var command in (string[])["verify", "json"])
        {
            var (exitCode, output, errors) = Run(command, Encoding.UTF8.GetBytes(DeepLists.Schema.Text), DeepLists.Message(), program, arguments);
            Assert.True(exitCode == 0 && output.Length != 0, $"{command}: {errors}");
        }
    }

    [PythonFact]
    public void Python_prints_names_that_are_not_UTF8() => AssertPrintsReplaced(PythonReader.Program, PythonReader.Module);

    [CompilerFact]
    public void C_prints_names_that_are_not_UTF8() => AssertPrintsReplaced(CReader.Example);

    private void AssertPrintsReplaced(string program, params string[] arguments)
    {
        var (exitCode, output, errors) = Run("json", [.. "message A\n0 u8 "u8, 0xC3, (byte)'\n'], Convert.FromHexString("0100010010000000" + "0700000000000000"), program, arguments);
        Assert.True(exitCode == 0, errors);
        Assert.Equal("{\"\\uFFFD\":7}", output.TrimEnd('\n'));
    }

    [PythonFact]
    public void Python_reads_a_struct_of_many_overlapping_arrays_at_once() => AssertReadsOverlaps(PythonReader.Program, PythonReader.Module);

    [CompilerFact]
    public void C_reads_a_struct_of_many_overlapping_arrays_at_once() => AssertReadsOverlaps(CReader.Example);

    // The same bytes would be marked once for each array, and again for each struct around them: the program would not end within its limit.
    private void AssertReadsOverlaps(string program, params string[] arguments)
    {
        const int Nesting = 60;
        var outer = string.Concat(Enumerable.Repeat("0:struct(65535;", Nesting));
        var arrays = string.Join(',', Enumerable.Repeat("0:struct(1;0:u8)[65535]", 6000));
        var schema = $"message A\n0 list(struct(65535;{outer}{arrays}{string.Concat(Enumerable.Repeat(")[1]", Nesting))})) X\n";
        var (exitCode, output, errors) = Run("json", Encoding.UTF8.GetBytes(schema), Convert.FromHexString(NoBytes), program, arguments);
        Assert.True(exitCode == 0, errors);
        Assert.Equal("{\"X\":null}", output.TrimEnd('\n'));
    }

    /// <summary>A time zone, a local time, and the offset that .NET prints after it: at the second before 1970 in UTC, of seconds, at the ends of the range, and of times that come twice or not at all.</summary>
    public static TheoryData<string, string, string> LocalTimes => new()
    {
        { "EST5EDT,M3.2.0,M11.1.0", "1969-12-31T18:59:59.0000000", "-05:00" },
        { "EST5EDT,M3.2.0,M11.1.0", "2026-11-01T01:30:00.0000000", "-05:00" },
        { "EST5EDT,M3.2.0,M11.1.0", "2026-03-08T02:30:00.0000000", "-05:00" },
        { "EST5EDT,M3.2.0,M11.1.0", "2026-07-01T00:00:00.0000000", "-04:00" },
        { "MMT0:44:30", "1960-01-01T00:00:00.0000000", "-00:44" },
        { "LHST-10:30LHDT-11,M10.1.0,M4.1.0", "9999-12-31T23:59:59.9999999", "\\u002B11:00" },
        { "LHST-10:30LHDT-11,M10.1.0,M4.1.0", "0001-01-01T00:00:00.0000000", "\\u002B11:00" },
    };

    [PythonTheory]
    [MemberData(nameof(LocalTimes))]
    public void Python_prints_the_offset_of_a_local_time(string zone, string time, string offset) => AssertPrintsOffset(zone, time, offset, PythonReader.Program, PythonReader.Module);

    [CompilerTheory]
    [MemberData(nameof(LocalTimes))]
    public void C_prints_the_offset_of_a_local_time(string zone, string time, string offset) => AssertPrintsOffset(zone, time, offset, CReader.Example);

    // A time of the summer comes before it: the offset must not depend on what was printed before.
    private void AssertPrintsOffset(string zone, string time, string offset, string program, params string[] arguments)
    {
        const ulong Local = 2UL << 62;
        var (summer, ticks) = (new DateTime(2026, 7, 1), DateTime.Parse(time, CultureInfo.InvariantCulture).Ticks);
        byte[] message = [3, 0, 1, 0, 32, 0, 0, 0, .. new[] { summer.Ticks, ticks, summer.Ticks }.SelectMany(static one => BitConverter.GetBytes((ulong)one | Local))];
        var schema = "message A\n0 datetime X\n1 datetime Y\n2 datetime Z\n"u8;
        var (exitCode, output, errors) = Run("json", schema.ToArray(), message, "env", [$"TZ={zone}", program, .. arguments]);
        Assert.True(exitCode == 0, errors);
        Assert.Contains($"\"Y\":\"{time}{offset}\"", output, StringComparison.Ordinal);
    }

    [PythonFact]
    public void Python_prints_a_name_that_the_encoding_of_the_output_does_not_have()
    {
        var schema = Encoding.UTF8.GetBytes("message A\n0 bool Größe\n");
        var (exitCode, output, errors) = Run("verify", schema, Convert.FromHexString("0100010010000000" + "0700000000000000"), "env", ["PYTHONIOENCODING=ascii", PythonReader.Program, PythonReader.Module]);
        Assert.True(exitCode == 1, errors);
        Assert.Equal("Gr\\xf6\\xdfe, byte 8: a bool is neither 0 nor 1", output.TrimEnd('\n'));
    }

    [CompilerFact]
    public void C_says_that_a_folder_is_no_file()
    {
        var (exitCode, _, errors) = ExternalProgram.TryRun(CReader.Example, "json", _folder, _folder);
        Assert.True(exitCode == RefusedExitCode && errors.StartsWith(_folder, StringComparison.Ordinal), errors);
    }

    private void AssertPrints(string schema, string message, string program, params string[] arguments)
    {
        var bytes = Convert.FromHexString(message);
        var expected = ReaderJson.Of(bytes, MessageSchema.Parse(schema));
        var (exitCode, output, errors) = Run("json", Encoding.UTF8.GetBytes(schema), bytes, program, arguments);
        Assert.True(exitCode == 0, string.Create(CultureInfo.InvariantCulture, $"{exitCode} {errors}"));
        Assert.Equal(expected, output.TrimEnd('\n'));
    }

    private (int ExitCode, string Output, string Errors) Run(string command, byte[] schema, byte[] message, string program, string[] arguments)
    {
        var (schemaPath, messagePath) = (Path.Combine(_folder, "schema"), Path.Combine(_folder, "message"));
        File.WriteAllBytes(schemaPath, schema);
        File.WriteAllBytes(messagePath, message);
        return ExternalProgram.TryRun(program, [.. arguments, command, schemaPath, messagePath]);
    }
}

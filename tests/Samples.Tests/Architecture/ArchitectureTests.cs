using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Architecture;

/// <summary>The arrows of docs/architecture.md: the rooms that a room may know.</summary>
public class ArchitectureTests
{
    private static readonly Dictionary<string, string[]> RuntimeArrows = new(StringComparer.Ordinal)
    {
        ["Wire"] = [],
        ["Messages"] = ["Wire"],
        ["Buffers"] = ["Messages", "Wire"],
        ["Memory"] = [],
        ["Segments"] = ["Memory"],
        ["Queues"] = ["Segments", "Memory", "Messages", "Wire"],
    };

    private static readonly Dictionary<string, string[]> CachingArrows = new(StringComparer.Ordinal)
    {
        ["Contract"] = [],
        ["Files"] = ["Contract"],
        ["Engine"] = ["Files", "Contract"],
        ["Sharing"] = ["Engine", "Files", "Contract"],
        ["Caches"] = ["Sharing", "Engine", "Files", "Contract"],
        ["Distributed"] = ["Caches", "Contract"],
        ["Hosting"] = ["Distributed", "Caches", "Files", "Contract"],
    };

    // The files beside the rooms are the public methods that open a bridge; the host calls them too.
    private static readonly Dictionary<string, string[]> BridgesArrows = new(StringComparer.Ordinal)
    {
        ["Contract"] = [],
        ["Runs"] = ["Contract"],
        ["Running"] = ["Runs", "Contract"],
        ["Forwarding"] = ["Running", "Runs", "Contract"],
        ["Receiving"] = ["Running", "Runs", "Contract"],
        ["Reading"] = ["Runs", "Contract"],
        ["Hosting"] = ["Forwarding", "Receiving", "Running", "Contract", ""],
    };

    private static readonly Dictionary<string, string[]> HostingArrows = new(StringComparer.Ordinal)
    {
        ["Contract"] = [],
        ["Telemetry"] = ["Contract"],
        ["Failures"] = ["ReplyQueues", "Contract"],
        ["Handling"] = ["Failures", "Telemetry", "Contract"],
        ["Registration"] = ["Handling", "Failures", "Telemetry", "Contract"],
        ["ReplyQueues"] = ["Telemetry"],
        ["Requests"] = ["ReplyQueues", "Registration"],
        ["Responding"] = ["ReplyQueues", "Registration", "Handling", "Contract"],
        ["Health"] = ["Registration", "Handling", "Failures", "Telemetry", "Contract"],
    };

    private static readonly Dictionary<string, string[]> GeneratorArrows = new(StringComparer.Ordinal)
    {
        ["Model"] = [],
        ["Layout"] = ["Model"],
        ["Parsing"] = ["Model"],
        ["Emission"] = ["Layout", "Model"],
        ["Analysis"] = ["Parsing", "Layout", "Model"],
    };

    /// <summary>Houses within the projects, and their rooms, bottom first: each knows those before it. Room "" is the files beside the rooms; rooms with a + between them know each other.</summary>
    private static readonly Dictionary<string, string[]> Houses = new(StringComparer.Ordinal)
    {
        ["src/Runtime/Wire"] = ["Format", "Values", "Blocks+Lists+Dictionaries+Unions+Objects+Verification"],
        ["src/Runtime/Messages"] = ["Attributes", "Schemas+Verification", "Walks", "Contract", "Views", "Conversions", "Writers", ""],
        ["src/Runtime/Buffers"] = ["Pool", "Loading", "Streams", ""],
        ["src/Runtime/Queues"] = ["Events", "Contract", "Layout", "Liveness", "Waiting", "Log", "Membership", "Recovery", "Inspection", "Repair", "Engine", "Statistics", ""],
        ["src/Caching/Engine"] = ["Counting", "Memory", "Segments", "Choosing", "Lookup", "Writing", "Reading", "Opening", "Inspection"],
        ["src/Caching/Caches"] = ["Leases", ""],
        ["src/Generator/Parsing"] = ["Symbols", "Inputs", "Types", "Kinds", "Members", "Unions", ""],
        ["src/Generator/Emission"] = ["Text", "Plans", "Blocks", "Views", "Unions", ""],
        ["src/Generator/Analysis"] = ["Rules", "Layouts", "Lifetimes", "Awaits", ""],
        ["src/Tool"] = ["Output", "Running", "Targets", "Expressions", "Records", "Looking", "Watching", "Names", "DeadLetters", "Verifying", "Caches", "Repairing", "Transfer", "Bench", "Serving", ""],
        ["src/CodeFixes"] = ["Editing", "Declarations", "Uses"],
    };

    /// <summary>Uses against the arrows, each with its reason.</summary>
    private static readonly Dictionary<(string Project, string From, string Type), string> Exceptions = new()
    {
        [("src/Generator", "Analysis", "MessageEmitter")] = "BMSG9001 says why no code could be made, so its analyzer tries where there is none.",
        [("src/Generator", "Analysis", "UnionEmitter")] = "As above.",
        [("src/Generator", "Analysis", "SourcePlan")] = "As above: what the emitter takes.",
    };

    // Files beside the rooms put them together, and hold what the whole assembly shares.
    private static readonly string[] SharedByAll = ["GeneratorIdentity"];

    public static TheoryData<string> NamesOfHouses => [.. Houses.Keys];

    [Fact]
    public void Rooms_of_the_runtime_know_only_the_rooms_that_they_may() => AssertArrows("src/Runtime", RuntimeArrows);

    [Theory]
    [MemberData(nameof(NamesOfHouses))]
    public void Rooms_of_a_house_know_only_those_before_them(string house)
    {
        var order = Houses[house];
        var rooms = Repository.Files(house, "*.cs").Select(file => Path.GetRelativePath(Repository.PathOf(house), file).Split(Path.DirectorySeparatorChar))
            .Select(static parts => parts.Length == 1 ? "" : parts[0]).Distinct(StringComparer.Ordinal);
        Assert.Equal(order.SelectMany(static rooms => rooms.Split('+')).Order(StringComparer.Ordinal), rooms.Order(StringComparer.Ordinal));

        var project = string.Join('/', house.Split('/')[..2]);
        var upwards = from use in RoomMap.Uses(project, house)
                      where PlaceOf(use.To) > PlaceOf(use.From)
                      select use.ToString();

        var found = string.Join("\n", upwards.Order(StringComparer.Ordinal));
        Assert.True(found.Length == 0, found);

        int PlaceOf(string room) => Array.FindIndex(order, rooms => rooms.Split('+').Contains(room, StringComparer.Ordinal));
    }

    [Fact]
    public void Rooms_of_the_cache_know_only_the_rooms_that_they_may() => AssertArrows("src/Caching", CachingArrows);

    [Fact]
    public void Only_two_rooms_of_the_cache_know_the_packages_of_conventions() =>
        Assert.Equal(
            ["Distributed", "Hosting"],
            RoomMap.ForeignUses("src/Caching", "Microsoft.Extensions").Select(use => use.From).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal));

    [Fact]
    public void Rooms_of_the_bridges_know_only_the_rooms_that_they_may() => AssertArrows("src/Bridges", BridgesArrows);

    [Fact]
    public void Only_three_rooms_of_the_bridges_know_the_packages_of_conventions() =>
        Assert.Equal(
            ["Contract", "Hosting", "Running"],
            RoomMap.ForeignUses("src/Bridges", "Microsoft.Extensions").Select(use => use.From).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal));

    [Fact]
    public void Rooms_of_hosting_know_only_the_rooms_that_they_may() => AssertArrows("src/Hosting", HostingArrows);

    [Fact]
    public void Only_one_room_of_hosting_knows_OpenTelemetry() =>
        Assert.Equal(["Health"], RoomMap.ForeignUses("src/Hosting", "OpenTelemetry").Select(use => use.From).Distinct(StringComparer.Ordinal));

    [Fact]
    public void Rooms_of_the_generator_know_only_the_rooms_that_they_may() => AssertArrows("src/Generator", GeneratorArrows);

    [Theory]
    [InlineData("Model")]
    [InlineData("Layout")]
    [InlineData("Emission")]
    public void Rooms_after_the_parser_know_nothing_of_the_compiler_but_its_keywords(string room) =>
        Assert.DoesNotContain(
            RoomMap.ForeignUses("src/Generator", "Microsoft.CodeAnalysis"),
            use => use.From == room && use.Type is not ("SyntaxFacts" or "SyntaxKind"));

    [Fact]
    public void Every_exception_is_needed() =>
        Assert.All(Exceptions.Keys, exception => Assert.Contains(RoomMap.Uses(exception.Project), use => use.From == exception.From && use.Type == exception.Type));

    [Fact]
    public void The_test_can_see_a_use()
    {
        var uses = RoomMap.Uses("src/Runtime");

        Assert.Contains(uses, use => use is { From: "Messages", File: "BufferedString.cs", To: "Wire", Type: "XxHash64" });
        Assert.Contains(uses, use => use is { From: "Queues", To: "Segments" });
    }

    [Theory]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("samples")]
    public void Sources_hold_no_reminders_of_unfinished_work(string folder)
    {
        string[] reminders = ["TO" + "DO", "FIX" + "ME", "HA" + "CK:", "NotImplemented" + "Exception"];

        var found = from file in Repository.Files(folder, "*.cs")
                    from reminder in reminders
                    where File.ReadAllText(file).Contains(reminder, StringComparison.Ordinal)
                    select $"{Path.GetRelativePath(Repository.Root, file)}: {reminder}";

        Assert.Empty(found);
    }

    [Theory]
    [InlineData("src")]
    [InlineData("samples")]
    public void No_source_file_is_longer_than_400_lines(string folder) =>
        Assert.DoesNotContain(
            Repository.Files(folder, "*.cs"),
            file => !file.EndsWith(".g.cs", StringComparison.Ordinal) && File.ReadLines(file).Count() > 400);

    [Theory]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("samples")]
    [InlineData("benchmarks")]
    public void No_folder_holds_more_than_20_source_files(string folder)
    {
        var full = from file in Repository.Files(folder, "*.cs")
                   where !file.Contains(".verified.", StringComparison.Ordinal) && !file.EndsWith(".g.cs", StringComparison.Ordinal)
                   group file by Path.GetDirectoryName(file) into room
                   where room.Count() > 20
                   select $"{Path.GetRelativePath(Repository.Root, room.Key!)}: {room.Count()}";

        Assert.Empty(full);
    }

    private static void AssertArrows(string project, Dictionary<string, string[]> arrows)
    {
        Assert.Equal(arrows.Keys.Order(StringComparer.Ordinal), RoomsIn(project));

        var forbidden = from use in RoomMap.Uses(project)
                        where arrows.TryGetValue(use.From, out var allowed) && !allowed.Contains(use.To)
                        where use.To != "Polyfills" && !(use.To.Length == 0 && SharedByAll.Contains(use.Type))
                        where !Exceptions.ContainsKey((project, use.From, use.Type))
                        select use.ToString();
        Assert.Equal([], forbidden.Order(StringComparer.Ordinal));
    }

    private static IEnumerable<string> RoomsIn(string house) =>
        Directory.EnumerateDirectories(Repository.PathOf(house)).Select(path => Path.GetFileName(path)).Except(["bin", "obj", "Polyfills"]).Order(StringComparer.Ordinal);
}

using System.Runtime.CompilerServices;

namespace BufferedMessages.TestKit;

/// <summary>
/// Compares generated texts with verified files, in the file convention of Verify.SourceGenerators: a file
/// <c>Snapshots/Class.Method#Hint.verified.cs</c> beside the test's own. A text that differs is written beside it as <c>.received.cs</c>.
/// </summary>
public static class Snapshot
{
    private const string Folder = "Snapshots";
    private const string AcceptVariable = "BUFFEREDMESSAGES_ACCEPT_SNAPSHOTS";

    /// <summary>Compares all texts of a test, and finds verified files that no text belongs to any more.</summary>
    /// <param name="texts">The texts by hint name, which ends with <c>.cs</c>.</param>
    /// <param name="testFile">The test's file; given by the compiler.</param>
    /// <param name="testName">The test's name; given by the compiler.</param>
    /// <exception cref="SnapshotException">A text differs, is new, or is gone.</exception>
    public static void Verify(
        IReadOnlyDictionary<string, string> texts,
        [CallerFilePath] string testFile = "",
        [CallerMemberName] string testName = "")
    {
        var folder = Path.Combine(Path.GetDirectoryName(testFile)!, Folder);
        var prefix = Path.GetFileNameWithoutExtension(testFile) + "." + testName + "#";
        Directory.CreateDirectory(folder);
        var problems = new List<string>();
        var expected = new HashSet<string>(StringComparer.Ordinal);
        foreach (var (hint, text) in texts)
        {
            var name = prefix + Path.GetFileNameWithoutExtension(hint);
            expected.Add(name + ".verified.cs");
            Compare(folder, name, text, problems);
        }

        foreach (var stale in Directory.GetFiles(folder, prefix + "*.verified.cs").Select(Path.GetFileName).Where(name => !expected.Contains(name!)))
        {
            problems.Add($"{stale}: nothing is generated for it any more; delete it");
        }

        if (problems.Count != 0)
        {
            throw new SnapshotException(
                $"{problems.Count} snapshots in {Folder} differ. Compare each received file with the verified one; if the new text is right, run the test again with {AcceptVariable}=1.\n"
                + string.Join('\n', problems));
        }
    }

    private static void Compare(string folder, string name, string text, List<string> problems)
    {
        var verified = Path.Combine(folder, name + ".verified.cs");
        var received = Path.Combine(folder, name + ".received.cs");
        var before = File.Exists(verified) ? File.ReadAllText(verified) : null;
        if (string.Equals(before, text, StringComparison.Ordinal))
        {
            File.Delete(received);
            return;
        }

        if (Environment.GetEnvironmentVariable(AcceptVariable) == "1")
        {
            File.WriteAllText(verified, text);
            File.Delete(received);
            return;
        }

        File.WriteAllText(received, text);
        problems.Add(before is null ? $"{name}: new" : $"{name}: {FirstDifference(before, text)}");
    }

    private static string FirstDifference(string before, string after)
    {
        var (left, right) = (before.Split('\n'), after.Split('\n'));
        for (var i = 0; i < Math.Max(left.Length, right.Length); i++)
        {
            var (verified, received) = (left.ElementAtOrDefault(i), right.ElementAtOrDefault(i));
            if (!string.Equals(verified, received, StringComparison.Ordinal))
            {
                return $"line {i + 1} was '{verified}', is '{received}'";
            }
        }

        return "the line ends differ";
    }
}

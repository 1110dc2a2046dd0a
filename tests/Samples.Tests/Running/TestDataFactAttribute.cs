namespace BufferedMessages.Samples.Tests.Running;

/// <summary>A test that needs a file of BUFFEREDMESSAGES_TESTDATA, the folder of larger inputs that are not part of the repository.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class TestDataFactAttribute : FactAttribute
{
    private const string Variable = "BUFFEREDMESSAGES_TESTDATA";

    public TestDataFactAttribute(string fileName)
    {
        FileName = fileName;
        if (!File.Exists(PathOf(fileName)))
        {
            Skip = $"Needs {fileName} in the folder that {Variable} names.";
        }
    }

    public string FileName { get; }

    public static string PathOf(string fileName) => Path.Combine(Environment.GetEnvironmentVariable(Variable) ?? "", fileName);
}
